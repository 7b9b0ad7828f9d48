/** Writes rows of a table to a file in batches, with constant memory. */
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssayError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { csvLine } from '../csv.ts';

/** A time is as `Date.toISOString` writes it. */
export type FileColumn = {
  readonly key: string;
  readonly type: 'text' | 'number' | 'time' | 'flag';
  /** Every row has it; without this it may be unmeasured. */
  readonly required?: boolean | undefined;
};

/** In the order of the columns. */
export type FileRow = readonly (string | number | boolean | undefined)[];

export type TableFile = {
  readonly write: (rows: readonly FileRow[]) => void;
  /** The file has its name from here on; gives its size in bytes. */
  readonly finish: () => number;
  /** Removes the new file; the previous one stays. */
  readonly discard: () => void;
};

export const TABLE_FORMATS = ['parquet', 'csv', 'jsonl'] as const;

export type TableFormat = (typeof TABLE_FORMATS)[number];

/** What turns rows into bytes. */
export type RowEncoder = {
  readonly rows: (rows: readonly FileRow[]) => void;
  readonly end: () => void;
};

export type Append = (bytes: Uint8Array | string) => void;

/** It is written under another name until it is whole. */
export async function openTableFile(
  path: string,
  format: TableFormat,
  columns: readonly FileColumn[],
): Promise<TableFile> {
  const part = `${path}.part`;
  const asOutput = <Result>(work: () => Result) => {
    try {
      return work();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, {
        cause,
        remedy: 'Free space, or name another folder: one that you may make and write to.',
      });
    }
  };
  const handle = asOutput(() => {
    makeFolder(dirname(path));
    return openSync(part, 'w');
  });
  const encoder = await encoderOf(format, columns, (bytes) => appendWhole(handle, bytes));
  return {
    write: (rows) => asOutput(() => encoder.rows(rows)),
    finish: () =>
      asOutput(() => {
        encoder.end();
        closeSync(handle);
        renameSync(part, path);
        return statSync(path).size;
      }),
    discard: () => {
      closeSync(handle);
      rmSync(part, { force: true });
    },
  };
}

/** A nearly full disk writes a part and reports how much. */
function appendWhole(handle: number, given: Uint8Array | string): void {
  const bytes = typeof given === 'string' ? Buffer.from(given) : given;
  for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
}

async function encoderOf(
  format: TableFormat,
  columns: readonly FileColumn[],
  append: Append,
): Promise<RowEncoder> {
  if (format === 'csv') return csvEncoder(columns, append);
  if (format === 'jsonl') return jsonlEncoder(columns, append);
  // Loaded here, so that nothing else pays for it.
  const { parquetEncoder } = await import('./parquet.ts');
  return parquetEncoder(columns, append);
}

function csvEncoder(columns: readonly FileColumn[], append: Append): RowEncoder {
  append(csvLine(columns.map(({ key }) => key)));
  return { rows: (rows) => append(rows.map((row) => csvLine(row)).join('')), end: () => {} };
}

/** Every line has every key: unmeasured is null. */
function jsonlEncoder(columns: readonly FileColumn[], append: Append): RowEncoder {
  const line = (row: FileRow) =>
    JSON.stringify(Object.fromEntries(columns.map(({ key }, index) => [key, row[index] ?? null])));
  return { rows: (rows) => append(rows.map((row) => `${line(row)}\n`).join('')), end: () => {} };
}
