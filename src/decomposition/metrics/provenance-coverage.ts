import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import { type DistinctConcept, distinctConcepts } from '../distinct-concepts.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const provenanceCoverage: Metric<CaseEvidence> = {
  id: 'decomposition/provenance-coverage',
  title: 'Provenance coverage',
  question: 'How many concepts have a quote from the text?',
  formula:
    'concepts with a source quote / extracted concepts, each counted once however often it is repeated',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  zones: { fail: 0.8, target: 0.9, excellent: 0.98 },
  example: {
    given: '20 concepts extracted, 18 with a quote',
    cases: [evidenceWith({ extracted: 20, quoted: 18 })],
    value: 0.9,
  },
  compute: (cases) => shareOverTrials(cases, quotedConcepts, whyNoQuotes(cases)),
};

/** An output format without quotes does not mean that there were none. */
export function whyNoQuotes(cases: readonly CaseEvidence[]): string {
  return cases.some(({ trials }) => trials.some(({ withoutQuotes }) => withoutQuotes))
    ? 'the outputs have no place for quotes'
    : 'no concepts were extracted';
}

export function quotedConcepts(trial: TrialEvidence): Share {
  return shareOfQuoted(trial, ({ quoted }) => quoted);
}

export function shareOfQuoted(trial: TrialEvidence, has: (concept: DistinctConcept) => boolean): Share {
  if (trial.withoutQuotes) return { count: 0, of: 0 };
  const concepts = distinctConcepts(trial);
  return { count: concepts.filter(has).length, of: concepts.length };
}
