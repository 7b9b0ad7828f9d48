import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';
import { shareOfQuoted, whyNoQuotes } from './provenance-coverage.ts';

export const verifiedProvenance: Metric<CaseEvidence> = {
  id: 'decomposition/verified-provenance',
  title: 'Verified provenance',
  question: 'How many concepts have a quote that occurs in the text?',
  formula: 'concepts whose quote occurs in the source text / extracted concepts, each counted once',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  // A target without a fail line, so it never blocks. Only a quote for every concept is excellent.
  zones: { fail: 0, target: 0.95, excellent: 1 },
  example: {
    given: '20 concepts extracted, 18 with a quote, 17 of these in the text',
    cases: [evidenceWith({ extracted: 20, quoted: 18, verified: 17 })],
    value: 0.85,
  },
  compute: (cases) =>
    shareOverTrials(cases, (trial) => shareOfQuoted(trial, ({ verified }) => verified), whyNoQuotes(cases)),
};
