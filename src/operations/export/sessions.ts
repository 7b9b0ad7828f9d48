import { camelCase } from '../../letter-case.ts';
import { KEPT_COLUMNS } from '../../session/columns.ts';
import type { SessionRow } from '../../store/session-row.ts';
import { type ExportValue, kindOf, PAGE, type ReadColumn, tableOf } from './table.ts';

const KEPT: readonly ReadColumn<SessionRow>[] = KEPT_COLUMNS.map((column) => {
  const { key, type, required, keptLater, doc } = column;
  const name = camelCase(key) as keyof SessionRow;
  return {
    key,
    type,
    ...(required && !keptLater && { required }),
    doc,
    read: (row) => row[name] as ExportValue,
  };
});

const COLUMNS: readonly ReadColumn<SessionRow>[] = [
  ...KEPT,
  {
    key: 'revision',
    type: 'text',
    required: true,
    doc: 'Hash of what was found: the same until the session grows or is scored otherwise',
    read: (row) => row.revision,
  },
  {
    key: 'scored_at',
    type: 'time',
    required: true,
    doc: 'When it was scored last, UTC; scoring the same again within a day does not move it',
    read: (row) => row.scoredAt,
  },
  {
    key: 'cost_usd_is_lower_bound',
    type: 'flag',
    doc: 'It cost at least this, and how much more is not known; absent where the cost is',
    read: (row) => (row.costUsd === undefined ? undefined : row.costAtLeast === 1),
  },
  {
    key: 'other_models',
    type: 'text',
    doc: 'The models it used beside `model`, one a line',
    read: (row) => row.otherModels,
  },
  {
    key: 'concern',
    type: 'number',
    doc: 'How much in it a person would want to look at; more is more',
    read: (row) => row.concern,
  },
];

export const SESSIONS = kindOf<SessionRow>({
  kind: 'sessions',
  time: 'started_at',
  tables: [
    tableOf({
      name: 'sessions',
      doc: 'Every scored session as it was scored last, with what it cost and used. Never its text.',
      key: ['session_key'],
      items: (row: SessionRow) => [row],
      columns: COLUMNS,
    }),
  ],
  read: async function* (store, { period }) {
    let held: SessionRow[] = [];
    for await (const row of store.readSessions(period)) {
      held.push(row);
      if (held.length < PAGE) continue;
      yield held;
      held = [];
    }
    if (held.length > 0) yield held;
  },
});
