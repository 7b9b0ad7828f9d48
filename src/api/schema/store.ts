import { z } from 'zod';

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
  format: z.literal('assay-store-status'),
  version: z.literal(1),
  ...state,
  exists: z.boolean(),
  migration_due: z.boolean(),
  bytes: z.number().nullable().describe('All of it on the disk'),
  kinds: z
    .array(
      z.strictObject({
        kind: z.string(),
        records: z.int(),
        bytes: z.number().nullable().describe('With indexes and sums; `null` where that cannot be told'),
        bytes_each: z.number().nullable(),
        oldest: time.nullable(),
        newest: time.nullable(),
      }),
    )
    .nullable()
    .describe('`null` where there is no store, or where it has to be migrated first'),
  last_prunes: z
    .array(z.strictObject({ kind: z.string(), at: time, before: time, removed: z.int() }))
    .nullable(),
  pending_deliveries: z.int().nullable().describe('What is still to be told elsewhere; 10,000 at most'),
});

export const storeMigration = z.strictObject({
  format: z.literal('assay-store-migration'),
  version: z.literal(1),
  ...state,
  before: z.int().describe('The schema it had; 0: there was no store, and it was made'),
});

export const storeCheck = z.strictObject({
  format: z.literal('assay-store-check'),
  version: z.literal(1),
  address: z.string(),
  whole: z.boolean(),
  records: z.int().describe('How many were looked at'),
  found: z.int().describe('How many faults; 1,000 of them are told'),
  faults: z.array(
    z.strictObject({
      table: z.string(),
      key: z.string().nullable(),
      what: z.string(),
      remedy: z.string(),
    }),
  ),
});

const listed = z.strictObject({ count: z.int(), keys: z.array(z.string()).describe('The first 20') });
const side = z.strictObject({ records: z.int(), checksum: z.string() });

export const storeCopy = z.strictObject({
  format: z.literal('assay-store-copy'),
  version: z.literal(1),
  from: z.string(),
  to: z.string(),
  whole: z.boolean().describe('The target has all of the source'),
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
  format: z.literal('assay-store-pruning'),
  version: z.literal(1),
  address: z.string(),
  deleted: z.boolean().describe('`false`: it was only told what would go'),
  kinds: z.array(z.strictObject({ kind: z.string(), kept_days: z.number(), before: time, records: z.int() })),
});
