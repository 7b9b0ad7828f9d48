/** A histogram in few bytes: the bins that hold something, each as one byte and its count in groups of seven bits. */

export function packBins(bins: ReadonlyMap<number, number>): Uint8Array {
  const bytes: number[] = [];
  for (const [bin, count] of [...bins].sort(([a], [b]) => a - b)) {
    if (count === 0) continue;
    bytes.push(bin);
    let rest = count;
    while (rest > 127) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** Undefined when the bytes are none of ours. */
export function unpackBins(bytes: Uint8Array): Map<number, number> | undefined {
  const bins = new Map<number, number>();
  const whole = eachBin(bytes, (bin, count) => bins.set(bin, count));
  return whole ? bins : undefined;
}

/** False when the bytes end in the middle of a count. */
export function eachBin(bytes: Uint8Array, take: (bin: number, count: number) => void): boolean {
  for (let i = 0; i < bytes.length; ) {
    const bin = bytes[i++] as number;
    let [count, scale] = [0, 1];
    for (;;) {
      const byte = bytes[i++];
      if (byte === undefined || scale > 2 ** 46) return false;
      count += (byte % 128) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    take(bin, count);
  }
  return true;
}
