/** Bytes that count how often they are read, byte by byte or a stretch at once. */
export function countReads(bytes: Buffer): { readonly bytes: Buffer; readonly reads: () => number } {
  let reads = 0;
  const watch = (buffer: Buffer): Buffer =>
    new Proxy(buffer, {
      get(target, key) {
        if (key === 'length') return target.length;
        if (key === 'subarray') return (from: number, to: number) => watch(target.subarray(from, to));
        if (key === 'toString') {
          return (encoding: BufferEncoding, from: number, to: number) => {
            reads += to - from;
            return target.toString(encoding, from, to);
          };
        }
        if (key === 'indexOf') {
          return (byte: number, from: number) => {
            const found = target.indexOf(byte, from);
            reads += (found < 0 ? target.length : found) - from;
            return found;
          };
        }
        reads += 1;
        return target[Number(key)];
      },
    });
  return { bytes: watch(bytes), reads: () => reads };
}
