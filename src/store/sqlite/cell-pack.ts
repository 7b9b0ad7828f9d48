/**
 * The sums of a cell as a short text: each number as digits of five bits, the lowest first, then the bins that hold
 * something, each with its count. Read ten thousand at a time, this is several times faster than a column for each, and
 * than bytes, which Node wraps in an object of their own.
 */
import { BINS, SUMS } from '../rollup.ts';

/** Sums, then one count per bin. */
export const CELL_WIDTH = SUMS.length + BINS;

/** The last digit of a number is one of 32 characters from `0` on; those before it are one of 32 from `P` on. */
const [LAST, MORE, BASE] = [48, 80, 32];

export function packCell(cell: Float64Array): string {
  let text = '';
  for (let i = 0; i < SUMS.length; i += 1) text += digitsOf(cell[i] as number);
  for (let bin = 0; bin < BINS; bin += 1) {
    const count = cell[SUMS.length + bin] as number;
    if (count !== 0) text += digitsOf(bin) + digitsOf(count);
  }
  return text;
}

function digitsOf(value: number): string {
  let [text, rest] = ['', value];
  while (rest >= BASE) {
    text += String.fromCharCode(MORE + (rest % BASE));
    rest = Math.floor(rest / BASE);
  }
  return text + String.fromCharCode(LAST + rest);
}

export type Adding = { readonly withBins: boolean; readonly sign: 1 | -1 };

/** Adds what is packed to `cell`, or takes it away, the bins only where they are wanted. False when it is none of ours. */
export function addPacked(text: string, cell: Float64Array, { withBins, sign }: Adding): boolean {
  let [item, value, scale, bin] = [0, 0, 1, -1];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < LAST || code >= MORE + BASE || scale > 2 ** 50) return false;
    if (code >= MORE) {
      value += (code - MORE) * scale;
      scale *= BASE;
      continue;
    }
    value += (code - LAST) * scale;
    if (item < SUMS.length) cell[item] = (cell[item] as number) + sign * value;
    else if (!withBins) return true;
    else if (bin === -1) bin = value;
    else {
      if (bin >= BINS) return false;
      cell[SUMS.length + bin] = (cell[SUMS.length + bin] as number) + sign * value;
      bin = -1;
    }
    item += 1;
    [value, scale] = [0, 1];
  }
  return item >= SUMS.length && scale === 1 && bin === -1;
}
