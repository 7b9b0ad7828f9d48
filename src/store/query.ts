/** What every backend checks in a query before it runs it. */
import { invalid } from './canonical.ts';

// A time without its zone would mean something else on every machine.
const SINCE = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:\d\d))?$/;

/** The stored spelling of a point in time: a date, or a date and time with its zone. */
export function checkSince(since: string | undefined): string | undefined {
  if (since === undefined) return undefined;
  const time = SINCE.test(since) ? new Date(since) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) {
    throw invalid(
      `since ${JSON.stringify(since)}`,
      'must be a date such as 2026-01-31 or 2026-01-31T09:30:00Z',
    );
  }
  return time.toISOString();
}

export function checkLimit(limit: number | undefined): number | undefined {
  if (limit === undefined) return undefined;
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw invalid(`limit ${limit}`, 'must be a whole number from 0 on');
  return limit;
}
