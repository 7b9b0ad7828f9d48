import type { z } from 'zod';
import type { CheckResult, CopyResult, PruneResult, StatusResult } from '../../report/store-views.ts';
import type { StoreState } from '../../store/upkeep.ts';
import type { storeCheck, storeCopy, storeMigration, storePruning, storeStatus } from '../schema/store.ts';

export function encodeStoreStatus(status: StatusResult & StoreState): z.infer<typeof storeStatus> {
  const { backend, address, exists, schema, bytes, isMigrationDue, holding } = status;
  return {
    format: 'assay-store-status',
    version: 1,
    backend,
    address,
    schema,
    exists,
    migration_due: isMigrationDue,
    bytes: bytes ?? null,
    kinds:
      holding?.kinds.map((one) => ({
        kind: one.kind,
        records: one.records,
        bytes: one.bytes ?? null,
        bytes_each: one.bytes === undefined || one.records === 0 ? null : one.bytes / one.records,
        oldest: one.oldest ?? null,
        newest: one.newest ?? null,
      })) ?? null,
    last_prunes: holding?.lastPrunes.map((one) => ({ ...one })) ?? null,
    pending_deliveries: holding?.pending ?? null,
  };
}

export function encodeStoreMigration(
  migration: StoreState & { readonly before: number },
): z.infer<typeof storeMigration> {
  const { backend, address, schema, before } = migration;
  return { format: 'assay-store-migration', version: 1, backend, address, schema, before };
}

export function encodeStoreCheck({
  address,
  damages,
  found,
  records,
}: CheckResult): z.infer<typeof storeCheck> {
  return {
    format: 'assay-store-check',
    version: 1,
    address,
    whole: found === 0,
    records,
    found,
    faults: damages.map(({ table, key, what, remedy }) => ({ table, key: key ?? null, what, remedy })),
  };
}

export function encodeStoreCopy(copy: CopyResult, isWhole: boolean): z.infer<typeof storeCopy> {
  const listed = ({ count, keys }: { readonly count: number; readonly keys: readonly string[] }) => ({
    count,
    keys: [...keys],
  });
  return {
    format: 'assay-store-copy',
    version: 1,
    from: copy.from,
    to: copy.to,
    whole: isWhole,
    rounds: copy.rounds,
    kinds: copy.kinds.map(({ kind, added, from, to, missing, differing, more }) => ({
      kind,
      added,
      from,
      to,
      missing: listed(missing),
      differing: listed(differing),
      more: listed(more),
    })),
    sums: copy.sums.map(({ at, promptVersion, model, from, to }) => ({
      at,
      prompt_version: promptVersion ?? null,
      model: model ?? null,
      from,
      to,
    })),
  };
}

export function encodeStorePruning(
  pruned: PruneResult,
  { address, isRehearsal }: { readonly address: string; readonly isRehearsal: boolean },
): z.infer<typeof storePruning> {
  return {
    format: 'assay-store-pruning',
    version: 1,
    address,
    deleted: !isRehearsal,
    kinds: pruned.map(({ kind, keptDays, before, records }) => ({
      kind,
      kept_days: keptDays,
      before,
      records,
    })),
  };
}
