import type { Analysis } from './analyse.ts';
import { candidatesOf, type PhraseCandidate } from './candidates.ts';
import { type Features, featuresOf } from './features.ts';
import { logOdds } from './linear.ts';
import type { Model } from './model.ts';
import { salienceOf } from './salience.ts';

export type Ranked = PhraseCandidate & {
  /** Log odds that it names something at all, learnt from the keyphrases of abstracts. */
  readonly plausible: number;
  /** What the text does with it. */
  readonly salience: Features;
};

/** All candidates of a text, the likeliest names first. */
export function rankPhrases(analysis: Analysis, model: Model): readonly Ranked[] {
  const candidates = candidatesOf(analysis);
  const features = featuresOf(analysis, candidates, model.abstracts);
  const plausible = features.map((one) => logOdds(model.phrase, one));
  const salience = salienceOf(analysis, candidates, plausible, model.everyday);
  return candidates
    .map((candidate, i) => ({
      ...candidate,
      plausible: plausible[i] as number,
      salience: salience[i] as Features,
    }))
    .sort((a, b) => b.plausible - a.plausible || (a.key < b.key ? -1 : 1));
}
