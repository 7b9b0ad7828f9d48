import type { z } from 'zod';
import type { ExportResult } from '../../report/store-views.ts';
import type { storeExport } from '../schema/export.ts';

export function encodeExport({ address, as, files }: ExportResult): z.infer<typeof storeExport> {
  return {
    format: 'assay-export',
    version: 1,
    address,
    as,
    files: files.map(({ table, path, rows, bytes }) => ({ table, path, rows, bytes })),
  };
}
