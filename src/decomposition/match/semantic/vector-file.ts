/**
 * Vectors that a model made in earlier runs, in one file: a header in JSON (which model, which labels), the vectors as
 * 32-bit floats, and a checksum. It only saves time: whatever is wrong with the file, it is as if there were none, and
 * a vector from it is the very one that the model gives.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isOwnFolder, makeOwnFolder } from '../../../own-folder.ts';

export type Vectors = ReadonlyMap<string, Float32Array>;

type Header = { readonly model: string; readonly dimensions: number; readonly labels: readonly string[] };

/** Some 16 MB; of more, those that were used last are kept. */
const MOST_VECTORS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MAGIC = `assay vectors 1 ${endianness()}`;

/** `model` says exactly which one; vectors of another are none. */
export function readVectors(path: string, model: string): Vectors {
  try {
    if (!isOwnFolder(dirname(path)) || statSync(path).size > MOST_BYTES) return new Map();
    return parse(readFileSync(path), model) ?? new Map();
  } catch {
    return new Map();
  }
}

/** `vectors`: those that matter most come first. A folder that cannot be written costs the next run its time, no more. */
export function writeVectors(path: string, model: string, vectors: Vectors): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const folder = dirname(path);
    if (!makeOwnFolder(folder)) return;
    const ignore = join(folder, '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
    writeFileSync(temporary, format(model, [...vectors].slice(0, MOST_VECTORS)));
    renameSync(temporary, path);
  } catch {
    if (existsSync(temporary)) rmSync(temporary);
  }
}

function format(model: string, vectors: readonly (readonly [string, Float32Array])[]): Buffer {
  const dimensions = vectors[0]?.[1].length ?? 0;
  const header: Header = { model, dimensions, labels: vectors.map(([label]) => label) };
  const body = Buffer.concat([
    Buffer.from(`${MAGIC}\n${JSON.stringify(header)}\n`),
    ...vectors.map(([, vector]) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
  ]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(body));
  return Buffer.concat([body, sum]);
}

function parse(bytes: Buffer, model: string): Vectors | undefined {
  const body = bytes.subarray(0, -4);
  if (bytes.length < 4 || crc32(body) !== bytes.readUInt32LE(body.length)) return undefined;
  const [first, second] = [body.indexOf('\n'), body.indexOf('\n', body.indexOf('\n') + 1)];
  if (body.toString('utf8', 0, first) !== MAGIC) return undefined;
  const { model: of, dimensions, labels }: Header = JSON.parse(body.toString('utf8', first + 1, second));
  const floats = body.subarray(second + 1);
  if (of !== model || floats.length !== labels.length * dimensions * 4) return undefined;
  return new Map(
    labels.map((label, i) => {
      // A copy, because the place in the file need not be a multiple of four.
      const from = floats.subarray(i * dimensions * 4, (i + 1) * dimensions * 4);
      return [label, new Float32Array(Uint8Array.from(from).buffer)];
    }),
  );
}
