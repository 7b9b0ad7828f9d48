import type { Ports } from '../ports.ts';

export type PruneProductionRequest = {
  /** Texts and outputs go after so many days, requests after so many. */
  readonly textDays: number;
  readonly recordDays: number;
};

export type PrunedProduction = { readonly texts: number; readonly records: number };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Deletes what is older than a team wants to keep; sums by hour and day stay. */
export async function pruneProduction(
  { textDays, recordDays }: PruneProductionRequest,
  ports: Ports,
): Promise<PrunedProduction> {
  const store = await ports.store('looking');
  // Whole minutes, which are what the store remembers of what is gone.
  const now = Math.floor(ports.now().getTime() / MINUTE_MS) * MINUTE_MS;
  const before = (days: number) => new Date(now - days * DAY_MS).toISOString();
  return {
    texts: await store.prune('decomposition-texts', before(textDays)),
    records: await store.prune('decompositions', before(recordDays)),
  };
}
