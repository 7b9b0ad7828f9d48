import type { RoiResult } from '../../operations/session/measure-roi.ts';
import { formatAmount, formatScore, formatUsd } from '../../report/number.ts';
import { type ItemColumn, type TableBlock, tableOf, type View } from '../../report/view.ts';
import { type GroupRoi, wordOfRoi } from '../pricing/roi.ts';
import { isTimeGroup } from '../session-groups.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, LOWER_BOUND, projectNames } from './wording.ts';

/** `free` where the known cost is 0. */
export function roiTable({ by, groups }: RoiResult): TableBlock {
  return tableOf(`Quality and cost by ${by}`, groups, columnsBy(by), { limit: 20 });
}

function columnsBy(by: RoiResult['by']): ItemColumn<GroupRoi>[] {
  const columns: (ItemColumn<GroupRoi> | false)[] = [
    by !== 'task-type' && { key: 'task_type', title: 'task' },
    { key: by.replace('-', '_'), title: by, unit: 'name', of: ({ key }) => key },
    { key: 'sessions', title: 'n', unit: 'count', of: ({ n }) => n },
    { key: 'mean_q', title: 'mean Q', unit: 'score' },
    { key: 'q_low', title: 'low', unit: 'score', of: ({ interval }) => interval?.low },
    { key: 'q_high', title: 'high', unit: 'score', of: ({ interval }) => interval?.high },
    { key: 'mean_cost_usd', title: 'mean cost', unit: 'usd' },
    { key: 'total_cost_usd', title: 'total', unit: 'usd' },
    { key: 'roi', title: 'Q per $', unit: 'per-usd', of: ({ roi }) => wordOfRoi(roi) },
    {
      key: IS_LOWER_BOUND,
      title: 'cost is a lower bound',
      of: ({ costIsLowerBound }) => String(costIsLowerBound === true),
    },
  ];
  return columns.filter((column) => column !== false);
}

const IS_LOWER_BOUND = 'cost_usd_is_lower_bound';

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
function saidTable({ by, groups, total }: RoiResult): TableBlock {
  const names = by === 'project' ? projectNames(groups.map((row) => ({ project: row.key }))) : undefined;
  const isLowerBound = groups.some((row) => row.costIsLowerBound);
  const named = groups.map((row) => ({ ...row, key: names?.get(row.key) ?? row.key }));
  const columns = columnsBy(by).filter(({ key }) => key !== IS_LOWER_BOUND);
  return tableOf(
    `Quality and cost by ${by}`,
    total === undefined || groups.length < 2 ? named : [...named, total],
    columns.map((column) => ({
      ...column,
      title: (isLowerBound ? AT_LEAST[column.key] : undefined) ?? column.title,
    })),
    { limit: 31 },
  );
}
