import { formatAmount, formatScore, formatUsd } from '../../report/number.ts';
import type { Row, TableBlock, View } from '../../report/view.ts';
import { wordOfRoi } from '../pricing/roi.ts';
import type { GroupRoi, RoiResult } from '../results.ts';
import { isTimeGroup } from '../session-groups.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, LOWER_BOUND, projectNames } from './wording.ts';

/** `free` where the known cost is 0. */
export function roiTable({ by, groups }: RoiResult): TableBlock {
  const key = by.replace('-', '_');
  return {
    kind: 'table',
    title: `Quality and cost by ${by}`,
    limit: 20,
    columns: [
      ...(by === 'task-type' ? [] : [{ key: 'task_type', title: 'task', unit: 'text' as const }]),
      { key, title: by, unit: 'name' },
      { key: 'sessions', title: 'n', unit: 'count' },
      { key: 'mean_q', title: 'mean Q', unit: 'score' },
      { key: 'q_low', title: 'low', unit: 'score' },
      { key: 'q_high', title: 'high', unit: 'score' },
      { key: 'mean_cost_usd', title: 'mean cost', unit: 'usd' },
      { key: 'total_cost_usd', title: 'total', unit: 'usd' },
      { key: 'roi', title: 'Q per $', unit: 'per-usd' },
      { key: 'cost_usd_is_lower_bound', title: 'cost is a lower bound', unit: 'text' },
    ],
    rows: groups.map((row) => rowOf(row, key)),
  };
}

function rowOf(row: GroupRoi, key: string): Row {
  return {
    task_type: row.taskType,
    [key]: row.key,
    sessions: row.n,
    mean_q: row.meanQ,
    q_low: row.interval?.low,
    q_high: row.interval?.high,
    mean_cost_usd: row.meanCostUsd,
    total_cost_usd: row.totalCostUsd,
    roi: wordOfRoi(row.roi),
    cost_usd_is_lower_bound: String(row.costIsLowerBound === true),
  };
}

/** A long table may be cut before its last row. */
function inAll({ total, groups }: RoiResult): string {
  if (total?.totalCostUsd === undefined || groups.length < 2) return '';
  const cost = `${total.costIsLowerBound ? 'at least ' : ''}${formatUsd(total.totalCostUsd)}`;
  return ` In all ${formatAmount(total.n, 'session')} with a mean Q of ${formatScore(total.meanQ)} for ${cost}.`;
}

export function roiView(result: RoiResult, given?: SessionsGiven): View {
  const isEmpty = result.groups.length === 0;
  return {
    title: 'Return on cost',
    answer: isEmpty
      ? 'No session with a Q.'
      : `Q per dollar by ${result.by}: mean Q divided by mean cost, over the sessions whose cost is known.${inAll(result)}`,
    blocks: isEmpty ? [] : [saidTable(result)],
    notes: [
      BLIND_SPOT,
      ...(result.groups.some((row) => row.costIsLowerBound) ? [LOWER_BOUND] : []),
      ...(isTimeGroup(result.by)
        ? [
            `A session counts where it began; days are those of ${result.timezone ?? 'UTC'}; --timezone changes that.`,
          ]
        : []),
      'low and high bound the 95% interval of the mean Q; it needs five sessions.',
    ],
    // A frontier compares agents as well, but not days or task types.
    next: nextStep('frontier', given, { options: result.by === 'agent' ? { by: result.by } : {} }),
  };
}

const AT_LEAST: Readonly<Record<string, string>> = {
  mean_cost_usd: 'cost ≥',
  total_cost_usd: 'total ≥',
  roi: 'Q per $ ≤',
};

/** For people the headers say it: a column of its own would push another off the screen. */
function saidTable(result: RoiResult): TableBlock {
  const { by, groups, total } = result;
  const { columns, rows, ...table } = roiTable(result);
  const key = by.replace('-', '_');
  const names = by === 'project' ? projectNames(groups.map((row) => ({ project: row.key }))) : undefined;
  const named =
    names === undefined
      ? rows
      : rows.map((row) => ({ ...row, [key]: names.get(String(row[key])) ?? row[key] }));
  const isLowerBound = result.groups.some((row) => row.costIsLowerBound);
  return {
    ...table,
    limit: 31,
    rows: [...named, ...(total === undefined || groups.length < 2 ? [] : [rowOf(total, key)])],
    columns: columns
      .filter(({ key }) => key !== 'cost_usd_is_lower_bound')
      .map((column) => ({
        ...column,
        title: (isLowerBound ? AT_LEAST[column.key] : undefined) ?? column.title,
      })),
  };
}
