/** The shortest input with the same effect: by halves, by ever smaller pieces, in a bounded number of tries. */
const TRIES = 600;

export async function minimise(input: Buffer, isStillSo: (one: Buffer) => Promise<boolean>): Promise<Buffer> {
  let best = input;
  let tries = 0;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && tries < TRIES; ) {
      const shorter = Buffer.concat([best.subarray(0, at), best.subarray(at + size)]);
      tries += 1;
      if (await isStillSo(shorter)) best = shorter;
      else at += size;
    }
  }
  return best;
}
