import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { Append, FileColumn, FileRow, RowEncoder } from './table-file.ts';

/** Large enough to compress well and to be skipped as one; small enough to hold. */
const GROUP_ROWS = 20_000;

const TYPES = { text: 'STRING', number: 'DOUBLE', time: 'TIMESTAMP', flag: 'BOOLEAN' } as const;

type Value = string | number | boolean | Date | null;

/** Rows are buffered until a group is full. */
export function parquetEncoder(columns: readonly FileColumn[], append: Append): RowEncoder {
  const shape = columns.map(({ key, type, required }) => ({
    name: key,
    type: TYPES[type],
    nullable: required !== true,
  }));
  const schema = schemaFromColumnData({ columnData: shape.map((column) => ({ ...column, data: [] })) });
  const bytes = new AppendedBytes(append);
  const file = new ParquetWriter({ writer: bytes, schema });
  let buffered: FileRow[] = [];
  const flush = () => {
    const columnData = columns.map(({ key, type }, index) => ({
      name: key,
      data: buffered.map((row) => fileValue(row[index], type)),
    }));
    file.write({ columnData, rowGroupSize: GROUP_ROWS });
    buffered = [];
  };
  return {
    rows: (rows) => {
      for (const row of rows) {
        buffered.push(row);
        if (buffered.length === GROUP_ROWS) flush();
      }
    },
    end: () => {
      if (buffered.length > 0) flush();
      file.finish();
    },
  };
}

function fileValue(value: FileRow[number], type: FileColumn['type']): Value {
  if (value === undefined) return null;
  return type === 'time' ? new Date(String(value)) : value;
}

/** What was written of a group is in the file before the next one begins. */
class AppendedBytes extends ByteWriter {
  readonly #append: Append;

  constructor(append: Append) {
    super();
    this.#append = append;
  }

  flush(): void {
    this.#append(new Uint8Array(this.buffer, 0, this.index));
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}
