import { formatCents, formatCount, formatScore, UNMEASURED } from '../../../../src/report/number.ts';
import { tierMark } from '../../../../src/report/zone-mark.ts';
import type { ListedSession } from '../../api/shapes.ts';
import { agentName } from '../../api/use-resource.ts';
import { Unmeasured } from '../../parts/measured.tsx';
import { type Column, Table, type TableProps } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { sessionName, shortModel, shortName } from './session-filters.ts';

export function sessionHref({ session_key }: Pick<ListedSession, 'session_key'>): string {
  return `/sessions/${encodeURIComponent(session_key)}`;
}

/** Where it happened, below its name. */
export function sessionPlace({ project, task_type, model, agent, source }: ListedSession): string {
  return [
    project === null ? undefined : shortName(project),
    task_type,
    model === null ? undefined : shortModel(model),
    agentName(agent ?? source),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

const SESSION_COLUMNS: readonly Column<ListedSession>[] = [
  {
    key: 'title',
    title: 'session',
    names: true,
    value: ({ title }) => title,
    show: (one) => (
      <div class="what">
        <a class="cut" href={sessionHref(one)}>
          {sessionName(one)}
        </a>
        <div class="sub cut">{sessionPlace(one)}</div>
      </div>
    ),
  },
  {
    key: 'q',
    title: 'Q',
    numeric: true,
    hint: 'How the session went, 0 to 1; not whether its answer was right',
    value: ({ q }) => q,
    show: (one) => <Quality of={one} />,
  },
  {
    key: 'verified',
    title: 'verified',
    hint: 'Whether a check after the last change, a merge or an acceptance verified the result',
    value: ({ verified }) => verified,
    show: ({ verified }) => verified ?? UNMEASURED,
  },
  {
    key: 'headline',
    title: 'what was seen',
    value: ({ headline }) => headline,
    show: ({ headline }) => <div class="words clamp">{headline}</div>,
  },
  {
    key: 'turns',
    title: 'turns',
    numeric: true,
    value: ({ turns }) => turns,
    show: ({ turns }) => count(turns),
  },
  {
    key: 'cost_usd',
    title: 'cost',
    numeric: true,
    value: ({ cost_usd }) => cost_usd,
    show: ({ cost_usd, cost_usd_is_lower_bound: atLeast }) =>
      cost_usd === null ? (
        <Unmeasured reason="its cost is not known" />
      ) : (
        `${atLeast ? '≥ ' : ''}${formatCents(cost_usd)}`
      ),
  },
  {
    key: 'started_at',
    title: 'when',
    numeric: true,
    value: ({ started_at }) => started_at,
    show: ({ started_at }) => <When at={started_at} />,
  },
  ...['session_id', 'session_key', 'project', 'task_type', 'source', 'agent', 'model', 'tier', 'path'].map(
    (key): Column<ListedSession> => ({
      key,
      title: key,
      unseen: true,
      value: (one) => one[key as 'session_id'],
    }),
  ),
  ...(['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const).map(
    (key): Column<ListedSession> => ({ key, title: key, unseen: true, value: (one) => one[key] }),
  ),
];

function count(value: number | null): string {
  return value === null ? UNMEASURED : formatCount(value);
}

/** The score with the shape and colour of its tier. */
export function Quality({ of: { q, tier } }: { readonly of: Pick<ListedSession, 'q' | 'tier'> }) {
  if (q === null) return <Unmeasured reason="too little was seen to give it a score" />;
  const { mark, tone } = tierMark(tier ?? '');
  return (
    <span class={`keep quality tone-${tone}`}>
      {mark} <b class="ink">{formatScore(q)}</b>
      <i class="q-bar" aria-hidden="true">
        <i style={{ width: `${Math.round(100 * q)}%` }} />
      </i>
      <span class="unseen"> {tier}</span>
    </span>
  );
}

export function SessionTable(props: Omit<TableProps<ListedSession>, 'columns' | 'rowKey' | 'href'>) {
  return (
    <Table
      {...props}
      columns={SESSION_COLUMNS}
      rowKey={({ session_key }) => session_key}
      href={sessionHref}
    />
  );
}
