import type { Document, TableBlock } from '../../report/document.ts';
import { formatScore } from '../../report/number.ts';
import { isoTime } from '../../session/iso-time.ts';
import { roiBy } from '../../session/pricing/roi.ts';
import { wordOfRoi } from '../../session/pricing/session-roi.ts';
import type { SessionScore } from '../../session/session-score.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printTable } from '../print-report.ts';
import { type LoadedSessions, loadSessions } from './load.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { BLIND_SPOT } from './overview.ts';

const GROUPS = {
  model: (session: SessionScore) => session.model,
  agent: (session: SessionScore) => session.agent ?? session.source,
  'task-type': (session: SessionScore) => session.taskType,
  day: (session: SessionScore) => isoTime(session.startedAt)?.slice(0, 10),
} as const;

export const command: Command = {
  name: 'sessions roi',
  summary: 'Quality per dollar by model, agent, task type or day',
  positionals: PATHS,
  options: {
    by: {
      type: 'string',
      choices: Object.keys(GROUPS),
      default: 'model',
      doc: 'What to group by, per task type',
    },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay sessions roi', 'assay sessions roi --by day --since 4w --format csv'],
  run: async (args, terminal) => {
    const loaded = await loadSessions(args, terminal);
    const by = args.values.by as keyof typeof GROUPS;
    const table = roiTable(loaded, by);
    await printTable(args, terminal, table, () => roiDocument(table, by));
    return table.rows.length === 0 ? 2 : 0;
  },
};

/** ROI is mean Q / mean cost over the sessions whose cost is known; "free" where that cost is 0. */
export function roiTable({ sessions }: LoadedSessions, by: keyof typeof GROUPS): TableBlock {
  const all = sessions.map(({ session }) => session);
  const types = [...new Set(all.map((session) => session.taskType))].sort();
  const split =
    by === 'task-type'
      ? [{ type: undefined, own: all }]
      : types.map((type) => ({ type, own: all.filter((one) => one.taskType === type) }));
  return {
    kind: 'table',
    title: `Quality and cost by ${by}`,
    limit: 20,
    columns: [
      ...(by === 'task-type' ? [] : [{ key: 'task_type', header: 'task', style: 'text' as const }]),
      { key: by.replace('-', '_'), header: by, style: 'name' },
      { key: 'sessions', header: 'n', style: 'count' },
      { key: 'mean_q', header: 'mean Q', style: 'score' },
      { key: 'q_low', header: 'low', style: 'score' },
      { key: 'q_high', header: 'high', style: 'score' },
      { key: 'mean_cost_usd', header: 'mean cost', style: 'usd' },
      { key: 'total_cost_usd', header: 'total', style: 'usd' },
      { key: 'roi', header: 'Q per $', style: 'text' },
    ],
    rows: split.flatMap(({ type, own }) =>
      roiBy(own, GROUPS[by]).map((row) => ({
        ...(type !== undefined && { task_type: type }),
        [by.replace('-', '_')]: row.key,
        sessions: row.n,
        mean_q: row.meanQ,
        q_low: row.interval?.low,
        q_high: row.interval?.high,
        mean_cost_usd: row.meanCostUsd,
        total_cost_usd: row.totalCostUsd,
        roi: row.roi.measured ? formatScore(row.roi.value) : wordOfRoi(row.roi),
      })),
    ),
  };
}

function roiDocument(table: TableBlock, by: string): Document {
  return {
    title: 'Return on cost',
    answer:
      table.rows.length === 0
        ? 'No session with a Q.'
        : `Q per dollar by ${by}: mean Q divided by mean cost, over the sessions whose cost is known.`,
    blocks: table.rows.length === 0 ? [] : [table],
    notes: [BLIND_SPOT, 'low and high bound the 95% interval of the mean Q; it needs five sessions.'],
    next: ['assay sessions frontier'],
  };
}
