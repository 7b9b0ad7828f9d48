/** What became of the work: of the lines that sessions wrote, what was committed, merged, and is still there. */
import { formatAmount, formatCount, formatRatio } from '../../../../src/report/number.ts';
import type { OutcomeRow, SessionOutcomes } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Unmeasured, Value } from '../../parts/measured.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Strip } from '../../parts/strip.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { narrowingOf, shortName } from './session-filters.ts';
import { nameIn, useSessionNames } from './use-session-names.ts';

const STATES = {
  'on-default': { words: 'on the default branch', tone: 'good', mark: '✓' },
  committed: { words: 'committed', tone: 'excellent', mark: '●' },
  'not-committed': { words: 'not committed', tone: 'caution', mark: '▲' },
  'too-young': { words: 'too young to tell', tone: 'quiet', mark: '○' },
  'nothing-written': { words: 'nothing written', tone: 'quiet', mark: '–' },
  unknown: { words: 'not known', tone: 'quiet', mark: '–' },
} as const;

type State = keyof typeof STATES;

/** Repositories are asked about each: so many, and no more. */
const NEWEST = 100;

function stateOf(state: string): (typeof STATES)[State] {
  return STATES[state as State] ?? { words: state.replaceAll('-', ' '), tone: 'quiet', mark: '–' };
}

export function OutcomesView({ query }: { readonly query: URLSearchParams }) {
  const outcomes = useResource<SessionOutcomes>('sessions/outcomes', {
    ...narrowingOf(query),
    limit: String(NEWEST),
  });
  const names = useSessionNames(outcomes.data?.outcomes.map(({ session_key }) => session_key));
  const nameOf = ({ session_key, session_id }: OutcomeRow) => nameIn(names, session_key, session_id);
  return (
    <Show of={outcomes} rows={8}>
      {({ outcomes: rows, beside }) =>
        rows.length === 0 ? (
          <Empty command="assay sessions score --repo .">
            Of no session in this view the repository was asked. Scoring sessions where their repositories are
            does:
          </Empty>
        ) : (
          <>
            <Card title={titleOf(rows)}>
              <Strip shares={sharesOf(rows)} />
              <p class="sub">
                {sharesOf(rows)
                  .map(({ name, share }) => `${name} ${formatRatio(share)}`)
                  .join(' · ')}
              </p>
              {rows.length === NEWEST && (
                <p class="sub">
                  Only the newest {formatCount(NEWEST)} sessions of this view are looked at: a period or a
                  project narrows it.
                </p>
              )}
              {beside?.all === false && (
                <p class="sub">
                  There are more sessions of these projects than could be looked at: a line that one of them
                  wrote last may count here.
                </p>
              )}
            </Card>
            <Card title="What became of the work">
              <Table
                caption="What became of the work"
                columns={[nameColumn(nameOf), ...COLUMNS]}
                rows={rows}
                rowKey={({ session_key }) => session_key}
                limit={20}
                main
              />
            </Card>
          </>
        )
      }
    </Show>
  );
}

/** Only of sessions whose repository could be asked; the others are said to be unknown, never counted as lost. */
function titleOf(rows: readonly OutcomeRow[]): string {
  const known = rows.filter(({ lines_on_default: merged }) => merged !== null);
  const rest = rows.filter(({ state }) => state === 'unknown').length;
  if (known.length === 0)
    return `What became of the work of ${formatAmount(rows.length, 'session')} is not known`;
  const sum = (key: 'lines_written' | 'lines_on_default' | 'lines_surviving') =>
    known.reduce((total, row) => total + (row[key] ?? 0), 0);
  const unknown = rest === 0 ? '' : `; of ${formatAmount(rest, 'session')} it is not known`;
  return `Of ${formatAmount(sum('lines_written'), 'line')} written, ${formatCount(sum('lines_on_default'))} came to the default branch and ${formatCount(sum('lines_surviving'))} are there now${unknown}`;
}

function sharesOf(rows: readonly OutcomeRow[]) {
  return [...Map.groupBy(rows, ({ state }) => state)]
    .map(([state, some]) => {
      const { words, tone } = stateOf(state);
      return { name: words, tone, share: some.length / rows.length };
    })
    .toSorted((a, b) => b.share - a.share);
}

function lines(value: number | null, reason: string | null) {
  return value === null ? <Unmeasured reason={reason ?? 'not known'} /> : formatCount(value);
}

function nameColumn(nameOf: (row: OutcomeRow) => string): Column<OutcomeRow> {
  return {
    key: 'session',
    header: 'session',
    names: true,
    value: nameOf,
    show: (row) => (
      <div class="what">
        <a class="cut" href={`/sessions/${encodeURIComponent(row.session_key)}`}>
          {nameOf(row)}
        </a>
        <div class="sub cut">
          {row.repository === null
            ? (row.reason ?? 'no repository')
            : shortName(row.repository.replace(/[\\/]\.git$/, ''))}
        </div>
      </div>
    ),
  };
}

const COLUMNS: readonly Column<OutcomeRow>[] = [
  { key: 'session_id', header: 'id', unseen: true, value: ({ session_id }) => session_id },
  {
    key: 'state',
    header: 'became',
    value: ({ state }) => state,
    show: ({ state, reverted, reason }) => {
      const { words, tone, mark } = stateOf(state);
      return (
        <span {...(reason !== null && { 'data-hint': reason })}>
          <Pill tone={reverted ? 'bad' : tone}>{reverted ? '✗ taken back' : `${mark} ${words}`}</Pill>
        </span>
      );
    },
  },
  {
    key: 'lines_written',
    header: 'written',
    numeric: true,
    value: (row) => row.lines_written,
    show: (row) => lines(row.lines_written, row.reason),
  },
  {
    key: 'lines_committed',
    header: 'committed',
    numeric: true,
    value: (row) => row.lines_committed,
    show: (row) => lines(row.lines_committed, row.reason),
  },
  {
    key: 'lines_on_default',
    header: 'merged',
    numeric: true,
    value: (row) => row.lines_on_default,
    show: (row) => lines(row.lines_on_default, row.reason),
  },
  {
    key: 'lines_surviving',
    header: 'still there',
    numeric: true,
    value: (row) => row.lines_surviving,
    show: (row) => lines(row.lines_surviving, row.reason),
  },
  {
    key: 'survival_7d',
    header: 'after 7 days',
    numeric: true,
    value: (row) => row.survival_7d,
    show: (row) => <Value of={row.survival_7d} unit="ratio" reason="none, or too young" />,
  },
  {
    key: 'commits',
    header: 'commits',
    value: ({ commits }) => commits.join(' '),
    show: ({ commits }) => <span class="sub">{commits.map((one) => one.slice(0, 7)).join(' ')}</span>,
  },
];
