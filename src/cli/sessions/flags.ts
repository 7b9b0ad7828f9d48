import type { Document, TableBlock } from '../../report/document.ts';
import { formatCount, formatScore } from '../../report/number.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printTable } from '../print-report.ts';
import { readSettings } from '../settings.ts';
import { type LoadedSessions, loadSessions } from './load.ts';
import { PATHS, SCORING_OPTIONS, shareOption } from './options.ts';
import { BLIND_SPOT, shortId } from './overview.ts';

export const command: Command = {
  name: 'sessions flags',
  summary: 'Sessions that scored too low to ignore (Q below 0.40)',
  positionals: PATHS,
  options: {
    below: {
      type: 'string',
      value: '0..1',
      doc: 'Flag sessions with a lower Q (default 0.4, or the configuration)',
    },
    gate: {
      type: 'boolean',
      doc: 'End with exit code 1 when a session is flagged',
    },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay sessions flags --since 24h', 'assay sessions flags --gate --below 0.5'],
  run: async (args, terminal) => {
    const below = shareOption(args, 'below') ?? (await readSettings(args, terminal)).config.session.flagBelow;
    const loaded = await loadSessions(args, terminal, { whyBelow: below });
    const table = flagTable(loaded, below);
    await printTable(args, terminal, table, () => flagDocument(loaded, table, below));
    if (loaded.sessions.every(({ session }) => session.q === undefined)) return 2;
    return args.values.gate === true && table.rows.length > 0 ? 1 : 0;
  },
};

function flagTable({ sessions }: LoadedSessions, below: number): TableBlock {
  const flagged = sessions
    .filter(({ session }) => session.q !== undefined && session.q < below - 1e-9)
    .toSorted((a, b) => (a.session.q ?? 0) - (b.session.q ?? 0));
  return {
    kind: 'table',
    title: 'Flagged',
    limit: 10,
    columns: [
      { key: 'session_id', header: 'session', style: 'name' },
      { key: 'task_type', header: 'task', style: 'text' },
      { key: 'q', header: 'Q', style: 'score' },
      { key: 'cost_usd', header: 'cost', style: 'usd' },
      { key: 'why', header: 'why', style: 'text' },
    ],
    rows: flagged.map(({ session, why }) => ({
      session_id: session.sessionId,
      task_type: session.taskType,
      q: session.q,
      cost_usd: session.costUsd,
      why,
    })),
  };
}

function flagDocument(loaded: LoadedSessions, table: TableBlock, below: number): Document {
  const first = table.rows[0]?.session_id;
  return {
    title: 'Flags',
    answer: `${formatCount(table.rows.length)} of ${formatCount(loaded.sessions.length)} sessions have a Q below ${formatScore(below)}.`,
    blocks: table.rows.length === 0 ? [] : [table],
    notes: [BLIND_SPOT],
    next: typeof first === 'string' ? [`assay sessions explain ${shortId(first)}`] : ['assay sessions score'],
  };
}
