import type { ListedSession } from '../../api/shapes.ts';

/** The number of Q bands; sessions to rate come from all of them, so that ratings can separate good from bad. */
const BANDS = 5;

/**
 * An unrated session from a random band of Q: where most sessions are good, a uniform draw would hardly rate any bad
 * one. `random` returns 0 to below 1.
 */
export function pickToRate(
  sessions: readonly ListedSession[],
  rated: ReadonlySet<string>,
  random: () => number,
): ListedSession | undefined {
  const open = sessions.filter(
    ({ q, session_id, session_key }) => q !== null && !rated.has(session_id) && !rated.has(session_key),
  );
  const bands = [...Map.groupBy(open, ({ q }) => Math.min(BANDS - 1, Math.floor((q ?? 0) * BANDS))).values()];
  const band = bands[Math.floor(random() * bands.length)] ?? [];
  return band[Math.floor(random() * band.length)];
}

/** Chance of the browser, evenly over 0 to below 1. */
export function chance(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}
