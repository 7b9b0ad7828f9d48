import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import { distinctConcepts } from '../distinct-concepts.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const quoteNamesConcept: Metric<CaseEvidence> = {
  id: 'decomposition/quote-names-concept',
  title: 'Quote names the concept',
  question: 'How many of the verified quotes speak of the concept that they are given for?',
  formula:
    'concepts with a verified quote of at most two sentences that name them / concepts with a verified quote',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  // A warning line without a fail line; the configuration may set one.
  zones: { fail: 0, target: 0.5, excellent: 0.9 },
  example: {
    given: '20 concepts extracted, 20 with a verified quote, 15 of these name their concept',
    cases: [evidenceWith({ extracted: 20, quoted: 20, verified: 20, named: 15 })],
    value: 0.75,
  },
  compute: (cases) => shareOverTrials(cases, namedConcepts, 'no quote was verified'),
};

function namedConcepts(trial: TrialEvidence): Share {
  const verified = distinctConcepts(trial).filter((concept) => concept.verified);
  return { count: verified.filter(({ named }) => named).length, of: verified.length };
}
