import { z } from 'zod';

/** What an export wrote. */
export const storeExport = z.strictObject({
  format: z.literal('assay-export'),
  version: z.literal(1),
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
