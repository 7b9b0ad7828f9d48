import { z } from 'zod';
import { head } from './parts.ts';

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
