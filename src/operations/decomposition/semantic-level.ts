import type { MatchLevel } from '../../decomposition/evidence.ts';
import { loadSemanticModel } from '../../decomposition/match/semantic/load.ts';
import type { SemanticModel } from '../../decomposition/match/semantic/model.ts';
import { AssayError } from '../../errors.ts';

export type SemanticRequest = {
  /** The loosest match that counts. */
  readonly matchLevel: MatchLevel;
  /** `false`: what semantic matching would add is not looked at. */
  readonly semantic: boolean;
  /** Where what the model says about labels is kept: it is the same in every run. */
  readonly vectors?: string;
};

/** The offline model, where it is installed and wanted; a result that must rest on it does not go without. */
export async function openSemanticLevel({
  matchLevel,
  semantic,
  vectors,
}: SemanticRequest): Promise<SemanticModel | undefined> {
  if (!semantic && matchLevel === 'semantic') {
    throw new AssayError('USAGE', 'the match level is semantic, so semantic matching cannot be left out');
  }
  if (!semantic) return undefined;
  const model = await loadSemanticModel(vectors);
  if (model !== undefined || matchLevel !== 'semantic') return model;
  throw new AssayError(
    'SEMANTIC_MODEL_MISSING',
    'the match level semantic needs the offline model, which is not installed',
  );
}
