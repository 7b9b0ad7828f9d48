/** Transcripts are packed to a tenth or a thirtieth of their size; what grows a thousandfold holds nothing. */
const MAX_RATIO = 1000;
/** So little may grow as it likes, and more than this is never unpacked. */
const [ALWAYS_UNPACKED, MAX_UNPACKED] = [64 * 1024 * 1024, 64 * 1024 * 1024 * 1024];

export function maxUnpackedBytes(packedBytes: number): number {
  return Math.min(MAX_UNPACKED, Math.max(ALWAYS_UNPACKED, packedBytes * MAX_RATIO));
}
