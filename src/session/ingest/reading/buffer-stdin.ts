/** A pipe can be read only once; what fits into memory is held, so that it is read like a file. */
import { type Input, PackingError } from '../files/open-input.ts';

const MAX_HELD_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 128 * 1024;

export async function bufferStdin(input: Input): Promise<Input> {
  if (input.size !== undefined) return input;
  const held: Buffer[] = [];
  let size = 0;
  let damage: PackingError | undefined;
  const chunks = input.chunks();
  try {
    for (;;) {
      const next = await chunks.next();
      if (next.done) break;
      held.push(Buffer.from(next.value));
      size += next.value.length;
      if (size > MAX_HELD_BYTES) return { ...input, chunks: () => heldThen(held, chunks) };
    }
  } catch (error) {
    if (!(error instanceof PackingError)) throw error;
    damage = error;
  }
  const whole = Buffer.concat(held);
  return { ...input, size, chunks: (from = 0) => piecesOf(whole, from, damage) };
}

/** Damage comes again where it came. */
async function* piecesOf(
  bytes: Buffer,
  from: number,
  damage: PackingError | undefined,
): AsyncGenerator<Buffer, void, void> {
  for (let at = from; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
  if (damage !== undefined) throw damage;
}

async function* heldThen(
  held: Buffer[],
  rest: AsyncGenerator<Buffer, void, void>,
): AsyncGenerator<Buffer, void, void> {
  for (let chunk = held.shift(); chunk !== undefined; chunk = held.shift()) yield chunk;
  yield* rest;
}
