import { z } from 'zod';
import { from } from '../wire.ts';
import { head } from './parts.ts';

type Kind = { readonly records: number; readonly bytes?: number };

const state = {
  backend: z.enum(['SQLite', 'ClickHouse']),
  address: z.string().describe('As it was named; it holds no secret'),
  schema: z
    .strictObject({ applied: z.int(), known: z.int() })
    .describe('Steps of its schema: how many it has, and how many this version knows'),
};

const time = z.iso.datetime();

/** What a store is and holds. */
export const storeStatus = z.strictObject({
  ...head('assay-store-status'),
  ...state,
  exists: z.boolean(),
  migration_due: from('isMigrationDue', z.boolean()),
  bytes: z.number().nullable().describe('All of it on the disk'),
  kinds: from(
    'holding.kinds',
    z
      .array(
        z.strictObject({
          kind: z.string(),
          records: z.int(),
          bytes: z.number().nullable().describe('With indexes and sums; `null` where that cannot be told'),
          bytes_each: from(
            ({ records, bytes }: Kind) =>
              bytes === undefined || records === 0 ? undefined : bytes / records,
            z.number().nullable(),
          ),
          oldest: time.nullable(),
          newest: time.nullable(),
        }),
      )
      .nullable()
      .describe('`null` where there is no store, or where it has to be migrated first'),
  ),
  last_prunes: from(
    'holding.lastPrunes',
    z.array(z.strictObject({ kind: z.string(), at: time, before: time, removed: z.int() })).nullable(),
  ),
  pending_deliveries: from(
    'holding.pending',
    z.int().nullable().describe('What is still to be told elsewhere; 10,000 at most'),
  ),
});

export const storeMigration = z.strictObject({
  ...head('assay-store-migration'),
  ...state,
  before: z.int().describe('The schema it had; 0: there was no store, and it was made'),
});

export const storeCheck = z.strictObject({
  ...head('assay-store-check'),
  address: z.string(),
  whole: from(({ found }: { readonly found: number }) => found === 0, z.boolean()),
  records: z.int().describe('How many were looked at'),
  found: z.int().describe('How many faults; 1,000 of them are told'),
  faults: from(
    'damages',
    z.array(
      z.strictObject({
        table: z.string(),
        key: z.string().nullable(),
        what: z.string(),
        remedy: z.string(),
      }),
    ),
  ),
});

const listed = z.strictObject({ count: z.int(), keys: z.array(z.string()).describe('The first 20') });
const side = z.strictObject({ records: z.int(), checksum: z.string() });

export const storeCopy = z.strictObject({
  ...head('assay-store-copy'),
  from: z.string(),
  to: z.string(),
  whole: from('isWhole', z.boolean().describe('The target has all of the source')),
  rounds: z.int().describe('More than one where the source was written meanwhile'),
  kinds: z.array(
    z.strictObject({
      kind: z.string(),
      added: z.int(),
      from: side,
      to: side,
      missing: listed.describe('In the source and not in the target'),
      differing: listed.describe('In both, with other content'),
      more: listed.describe('Only in the target'),
    }),
  ),
  sums: z
    .array(
      z.strictObject({
        at: time,
        prompt_version: z.string().nullable(),
        model: z.string().nullable(),
        from: z.int(),
        to: z.int(),
      }),
    )
    .describe('Hours whose sums outlived their requests and could not be brought together'),
});

export const storePruning = z.strictObject({
  ...head('assay-store-pruning'),
  address: z.string(),
  deleted: from(
    ({ isRehearsal }: { readonly isRehearsal: boolean }) => !isRehearsal,
    z.boolean().describe('`false`: it was only told what would go'),
  ),
  kinds: z.array(z.strictObject({ kind: z.string(), kept_days: z.number(), before: time, records: z.int() })),
});

/** What an export wrote. */
export const storeExport = z.strictObject({
  ...head('assay-export'),
  address: z.string().describe('The store it is from'),
  as: z.enum(['parquet', 'csv', 'jsonl']),
  files: z.array(
    z.strictObject({
      table: z.string(),
      path: z.string(),
      rows: z.int(),
      bytes: z.int(),
    }),
  ),
});
