import type { PrunedKind } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export const PRUNED_KINDS = [
  'sessions',
  'intake',
  'runs',
  'ratings',
  'approvals',
  'alerts',
  'feedback',
  'audit',
  'deliveries',
  'decompositions',
  'decomposition-texts',
] as const satisfies readonly PrunedKind[];

/** Days to store each kind; a kind without a number is stored for ever. */
export type Retention = { readonly [K in PrunedKind]?: number };

export type PruneRequest = {
  readonly keep: Retention;
  /** Only tells what would go. */
  readonly isRehearsal?: boolean;
};

export type PrunedRecords = {
  readonly kind: PrunedKind;
  readonly keptDays: number;
  /** What is older goes. */
  readonly before: string;
  readonly records: number;
};

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Deletes records older than the retention of their kind, and returns how many were, or would be, deleted. */
export async function pruneStore(
  { keep, isRehearsal = false }: PruneRequest,
  ports: Ports,
): Promise<PrunedRecords[]> {
  const store = await ports.store('looking');
  const pruned: PrunedRecords[] = [];
  // Whole minutes, which are what the store remembers of what is gone of production.
  const now = Math.floor(ports.now().getTime() / MINUTE_MS) * MINUTE_MS;
  for (const [name, keptDays] of Object.entries(keep)) {
    const kind = name as PrunedKind;
    const before = new Date(now - keptDays * DAY_MS).toISOString();
    ports.progress({ what: `deleting ${kind}`, done: 0, unit: 'records' });
    const records = isRehearsal
      ? await store.upkeep().olderThan(kind, before)
      : await store.prune(kind, before);
    pruned.push({ kind, keptDays, before, records });
  }
  return pruned;
}
