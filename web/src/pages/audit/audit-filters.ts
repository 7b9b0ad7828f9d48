/** Filters in the address of the page → the query to the server. */
import type { Query } from '../../api/client.ts';

const DAY_MS = 86_400_000;

export const AUDIT_FIELDS = [
  { key: 'who', label: 'Who: a person or a token' },
  { key: 'what', label: 'What: ratings, token, prune' },
  { key: 'project', label: 'Project' },
];

export const AUDIT_DAYS = [
  { key: 'since', label: 'from' },
  { key: 'until', label: 'to' },
];

/** Days in UTC, like the times in the table; the last one is included. */
export function auditQuery(query: URLSearchParams): Query {
  return {
    ...Object.fromEntries(AUDIT_FIELDS.map(({ key }) => [key, query.get(key) ?? undefined])),
    since: startOf(query.get('since'), 0),
    until: startOf(query.get('until'), DAY_MS),
  };
}

function startOf(day: string | null, later: number): string | undefined {
  if (day === null || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : new Date(time + later).toISOString();
}
