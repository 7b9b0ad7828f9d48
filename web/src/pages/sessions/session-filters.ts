/** Filters in the address of the sessions page → the query to the server. */
import type { Query } from '../../api/client.ts';
import type { ListedSession } from '../../api/shapes.ts';
import type { Filter } from '../../parts/filter-bar.tsx';

export const PERIODS = [
  { value: '1d', name: '24 h', days: 1 },
  { value: '7d', name: '7 days', days: 7 },
  { value: '30d', name: '30 days', days: 30 },
  { value: 'all', name: 'all', days: undefined },
] as const;

export const TASK_TYPES = ['coding', 'operations', 'research', 'chat', 'discovery', 'heartbeat'];
export const TIERS = ['excellent', 'good', 'acceptable', 'poor', 'failed'];

export const SORTS: readonly { readonly value: string; readonly name: string }[] = [
  { value: 'lowest_q', name: 'lowest Q first' },
  { value: 'costliest', name: 'most expensive first' },
  { value: 'longest', name: 'most turns first' },
  { value: 'needs_attention', name: 'needs attention first' },
  { value: 'oldest', name: 'oldest first' },
];

const NARROWING = ['project', 'model', 'agent', 'task_type'] as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function periodOf(query: URLSearchParams) {
  return PERIODS.find(({ value }) => value === query.get('period')) ?? PERIODS[3];
}

/** To the hour, so that one view has one address for a while and its answer need not be sent again. */
function sinceOf(query: URLSearchParams, now: number = Date.now()): string | undefined {
  const { days } = periodOf(query);
  if (days === undefined) return undefined;
  return new Date(Math.floor(now / HOUR_MS) * HOUR_MS - days * DAY_MS).toISOString();
}

/** For every address that takes the filter of sessions. */
export function narrowingOf(query: URLSearchParams, now?: number): Query {
  return {
    since: sinceOf(query, now),
    ...Object.fromEntries(NARROWING.map((key) => [key, query.get(key) ?? undefined])),
  };
}

export type Choices = Readonly<Record<'project' | 'model' | 'agent' | 'task_type', readonly string[]>>;

export function filtersOf(choices: Choices, nameOfAgent: (agent: string) => string): readonly Filter[] {
  const named = (values: readonly string[]) => {
    const nameOf = namesAmong(values);
    return values.map((value) => ({ value, name: nameOf(value) }));
  };
  return [
    { key: 'project', label: 'Project', any: 'all projects', choices: named(choices.project) },
    { key: 'model', label: 'Model', any: 'all models', choices: named(choices.model) },
    {
      key: 'agent',
      label: 'Agent',
      any: 'all agents',
      choices: choices.agent.map((value) => ({ value, name: nameOfAgent(value) })),
    },
    { key: 'task_type', label: 'Task type', any: 'all tasks', choices: named(choices.task_type) },
  ];
}

/** A model without its date: `claude-opus-4-5-20251101` → `claude-opus-4-5`. */
export function shortModel(model: string): string {
  return model.replace(/-20\d{6}$|-20\d\d-\d\d-\d\d$/, '');
}

/** The last part of a folder's path. */
export function shortName(value: string): string {
  return /^(?:[A-Za-z]:)?[\\/]/.test(value)
    ? (value.split(/[\\/]/).findLast((part) => part !== '') ?? value)
    : value;
}

/** Short distinct names: two folders `cli` get their parents too. */
export function namesAmong(values: readonly string[], short = shortName): (value: string) => string {
  const distinct = [...new Set(values)];
  const taken = Map.groupBy(distinct, short);
  const names = new Map(
    [...taken].flatMap(([name, same]): [string, string][] =>
      same.length === 1
        ? same.map((value) => [value, name])
        : same.map((value) => [value, apart(value, same)]),
    ),
  );
  return (value) => names.get(value) ?? short(value);
}

function apart(value: string, others: readonly string[]): string {
  const tail = (path: string, parts: number) =>
    path
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .slice(-parts)
      .join('/');
  for (let parts = 2; parts < 6; parts++) {
    const name = tail(value, parts);
    if (name !== value && others.every((other) => other === value || tail(other, parts) !== name))
      return name;
  }
  return value;
}

/** The title of a session, or the beginning of its id. */
export function sessionName({ title, session_id }: Pick<ListedSession, 'title' | 'session_id'>): string {
  return title ?? `session ${session_id.slice(0, 8)}`;
}
