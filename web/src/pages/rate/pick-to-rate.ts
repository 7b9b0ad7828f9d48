import type { ListedSession } from '../../api/shapes.ts';

/** Q is divided into so many bands; sessions to rate come from all of them, so that ratings tell good from bad. */
const BANDS = 5;

/**
 * A session nobody rated yet, from a band of Q drawn by chance: where most sessions are good, drawing from all of them
 * alike would rate hardly any bad one. `random` gives 0 to below 1.
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
