import type { MatchLevel } from '../../decomposition/evidence.ts';
import { loadSemanticModel, requireSemanticModel } from '../../decomposition/match/semantic/load.ts';
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
  return matchLevel === 'semantic' ? requireSemanticModel(vectors) : loadSemanticModel(vectors);
}
