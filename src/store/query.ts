/** What every backend checks in a query before it runs it. */
import { finite, invalid, isTime } from './canonical.ts';
import type { Period, Position, SessionPosition } from './store.ts';

// A time without its zone would mean something else on every machine.
const POINT = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:\d\d))?$/;

/** The stored spelling of a point in time: a date, or a date and time with its zone. */
export function checkPoint(name: string, point: string): string {
  const time = POINT.test(point) ? new Date(point) : undefined;
  // Day 30 of February would be read as one in March.
  const isDay =
    time !== undefined && !Number.isNaN(time.getTime()) && dayOf(point).startsWith(point.slice(0, 10));
  if (time === undefined || !isDay) {
    throw invalid(
      `${name} ${JSON.stringify(point)}`,
      'must be a date such as 2026-01-31 or 2026-01-31T09:30:00Z',
    );
  }
  return time.toISOString();
}

/** The day that a date alone means. */
function dayOf(point: string): string {
  const day = new Date(point.slice(0, 10));
  return Number.isNaN(day.getTime()) ? '' : day.toISOString();
}

export function checkPeriod({ since, until }: Period): Period {
  return {
    ...(since !== undefined && { since: checkPoint('since', since) }),
    ...(until !== undefined && { until: checkPoint('until', until) }),
  };
}

export function checkLimit(limit: number | undefined): number | undefined {
  if (limit === undefined) return undefined;
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw invalid(`limit ${limit}`, 'must be a whole number from 0 on');
  return limit;
}

export function checkPosition(after: Position): Position {
  if (!isTime(after.at)) throw invalid('after.at', 'must be the time of a record');
  if (typeof after.key !== 'string') throw invalid('after.key', 'must be the key of a record');
  return after;
}

export function checkSessionPosition(after: SessionPosition): SessionPosition {
  if (after.startedAt !== undefined && !isTime(after.startedAt))
    throw invalid('after.startedAt', 'must be the start of a session');
  for (const name of ['q', 'costUsd', 'turns', 'attention'] as const)
    if (after[name] !== undefined) finite(after[name], `after.${name}`);
  if (typeof after.sessionKey !== 'string') throw invalid('after.sessionKey', 'must be the key of a session');
  return after;
}
