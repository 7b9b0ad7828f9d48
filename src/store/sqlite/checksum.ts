/**
 * What a row holds, as a number that is written with it and verified whenever it is read: a bad disk or another
 * program must not change a score. Columns without a value do not count, so that a column can be added at any time.
 */
import { crc32 } from 'node:zlib';

/** `values` in the order of `columns`. */
export type Checksum = (values: readonly unknown[]) => number;

/** By name, so that the order in which columns are declared does not matter. */
export function defineChecksum(columns: readonly string[]): Checksum {
  const order = columns.map((name, i) => ({ name, i })).sort((a, b) => (a.name < b.name ? -1 : 1));
  return (values) => {
    let text = '';
    for (const { name, i } of order) {
      const value = values[i];
      if (value !== null && value !== undefined) text += `${name}\0${value}\0`;
    }
    return crc32(text);
  };
}
