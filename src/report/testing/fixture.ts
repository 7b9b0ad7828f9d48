/** A verdict as a real run might give it, with everything a report has to cope with. Only tests import this. */
import type { Change, Comparison } from '../../judge/compare.ts';
import type { Check } from '../../judge/gate.ts';
import { gate } from '../../judge/gate.ts';
import { type Trend, trendOf } from '../../judge/trend.ts';
import type { JudgedCase, JudgedMetric, Verdict } from '../../judge/verdict.ts';
import { worstZone, zoneOfMeasurement } from '../../judge/zone.ts';
import { estimate, type Measurement, type Unit, unmeasured, type Zones } from '../../measure/metric.ts';
import type { View } from '../view.ts';

type Declared = Pick<JudgedMetric, 'id' | 'title' | 'unit' | 'better'> & { readonly zones?: Zones };

const share: Zones = { fail: 0.6, target: 0.75, excellent: 0.9 };

const RECALL: Declared = {
  id: 'sample/concept-recall',
  title: 'Concept recall',
  unit: 'ratio',
  better: 'higher',
  zones: share,
};
const PRECISION: Declared = {
  id: 'sample/concept-precision',
  title: 'Concept precision',
  unit: 'ratio',
  better: 'higher',
  zones: share,
};
const RELATIONS: Declared = {
  id: 'sample/relation-recall',
  title: 'Relation recall',
  unit: 'ratio',
  better: 'higher',
  zones: share,
};
const INVENTED: Declared = {
  id: 'sample/invented-rate',
  title: 'Invented concepts',
  unit: 'ratio',
  better: 'lower',
  zones: { fail: 0.2, target: 0.1, excellent: 0.02 },
};
const OVERALL: Declared = {
  id: 'sample/overall',
  title: 'Overall',
  unit: 'score',
  better: 'higher',
  zones: { fail: 0.5, target: 0.7, excellent: 0.85 },
};
const QUOTES: Declared = {
  id: 'sample/quote-accuracy',
  title: 'Quote accuracy',
  unit: 'percent',
  better: 'higher',
};
const COST: Declared = { id: 'sample/cost', title: 'Cost', unit: 'usd', better: 'lower' };

function judged(metric: Declared, measurement: Measurement, change?: Change): JudgedMetric {
  const zone = zoneOfMeasurement(measurement, metric.zones, metric.better);
  return { ...metric, measurement, ...(zone !== undefined && { zone }), ...(change && { change }) };
}

const CHANGES = {
  [RECALL.id]: {
    baseline: estimate(0.804, 12, { low: 0.761, high: 0.842 }),
    size: 'regression',
    points: -8,
    paired: { cases: 11, points: -7.6, low: -11.2, high: -3.9, p: 0.0039, verdict: 'worse' },
  },
  [PRECISION.id]: { baseline: estimate(0.875, 12), size: 'improved', points: 4 },
  [INVENTED.id]: {
    baseline: estimate(0.042, 12),
    size: 'small regression',
    points: -2.1,
    paired: { cases: 11, points: -2, low: -5.1, high: 0.9, p: 0.21, verdict: 'noise' },
  },
  [OVERALL.id]: { baseline: estimate(0.6561, 12), size: 'unchanged', points: -0.36 },
  [COST.id]: { baseline: estimate(0.52, 12), size: 'improved', points: 0.05 },
  [RELATIONS.id]: { baseline: estimate(0.61, 9), size: 'lost' },
} as const satisfies Record<string, Change>;

const METRICS: readonly JudgedMetric[] = [
  judged(RECALL, estimate(0.724, 11, { low: 0.681, high: 0.762, pooled: 0.7312 }), CHANGES[RECALL.id]),
  judged(PRECISION, estimate(0.915, 11, { low: 0.874, high: 0.949 }), CHANGES[PRECISION.id]),
  judged(RELATIONS, unmeasured('no case has relations in its golden answer'), CHANGES[RELATIONS.id]),
  judged(INVENTED, estimate(0.063, 11, { low: 0.031, high: 0.118 }), CHANGES[INVENTED.id]),
  judged(QUOTES, estimate(99.97, 1520, { low: 98.2, high: 100, skipped: { 'quote without a place': 3 } })),
  judged(OVERALL, estimate(0.6525, 11, { low: 0.602, high: 0.701 }), CHANGES[OVERALL.id]),
  judged(COST, estimate(0.47, 11), CHANGES[COST.id]),
];

function sampleCase(
  id: string,
  recall: number,
  precision: number,
  invented: number,
  costUsd: number,
  notes: string[] = [],
): JudgedCase {
  const metrics = [
    judged(RECALL, estimate(recall, 1)),
    judged(PRECISION, estimate(precision, 1)),
    judged(RELATIONS, unmeasured('no relations in the golden answer')),
    judged(INVENTED, estimate(invented, 1)),
    judged(COST, estimate(costUsd, 1)),
  ];
  const zone = worstZone(metrics.map((metric) => metric.zone));
  return { id, metrics, notes, zone };
}

const CASES: readonly JudgedCase[] = [
  sampleCase('contract-lease-2024', 0.82, 0.95, 0.04, 0.41),
  sampleCase('contract-supply-chain-annex-with-a-very-long-name-2023', 0.41, 0.88, 0.12, 0.62, [
    'missed: penalty clause',
  ]),
  sampleCase('minutes-board-03', 0.93, 0.97, 0.01, 0.22),
  sampleCase('\u001b[2J\u001b[31mred alert\u0007', 0.66, 0.81, 0.09, 0.0031, ['reads a table as prose']),
  sampleCase('契約書-賃貸-2024-日本語', 0.71, 0.9, 0.05, 0.55),
  sampleCase('<script>alert(1)</script>', 0.58, 0.79, 0.24, 1.27, ['invented: "warranty" | `term`']),
  sampleCase('=HYPERLINK("https://example.org","open")', 0.8, 0.92, 0.03, 0.38),
  sampleCase('line one\nline two \u202egnp.exe', 0.74, 0.91, 0.06, 0.33, ['ask @octocat about #12']),
  {
    id: 'scan-0042',
    metrics: [],
    notes: [],
    error: 'the output is not JSON: unexpected end of input at line 1, column 18',
  },
  sampleCase('e\u0301te\u0301-👩‍👩‍👧-notes', 0.77, 0.93, 0.04, 0.29),
  sampleCase('memo-17', 1, 1, 0, 0.11),
  sampleCase('memo-18', 0.59, 0.72, 0.15, 0.44),
];

const COMPARISON: Comparison = {
  baseline: { runId: 'run-2026-11-07', at: '2026-11-07T09:12:00.000Z' },
  differences: [],
  insisted: false,
  changes: CHANGES,
  missingCases: [],
  approvals: [
    {
      metric: RELATIONS.id,
      reason: 'relations leave the golden set this month',
      who: 'mira',
      at: '2026-11-12T08:00:00.000Z',
    },
  ],
};

const CHECKS: readonly Check[] = [
  { id: RECALL.id, outcome: 'passed', reason: 'Concept recall is not in the fail zone' },
  { id: PRECISION.id, outcome: 'passed', reason: 'Concept precision is not in the fail zone' },
  {
    id: `${RECALL.id}:baseline`,
    outcome: 'blocked',
    reason: 'Concept recall fell by 8.0 points since the baseline; it needs an approval',
  },
  {
    id: `${INVENTED.id}:baseline`,
    outcome: 'warning',
    reason: 'Invented concepts fell by 2.1 points since the baseline; find out why and write it down',
  },
  {
    id: `${RELATIONS.id}:baseline`,
    outcome: 'warning',
    reason:
      'Relation recall was measured in the baseline and is not any more; approved by mira on 2026-11-12: relations leave the golden set this month',
  },
];

function trendPoints(values: readonly number[]): { runId: string; at: string; value: number }[] {
  return values.map((value, index) => {
    const at = new Date(Date.UTC(2026, 8, 19 + 7 * index, 9, 12)).toISOString();
    return { runId: `run-${at.slice(0, 10)}`, at, value };
  });
}

function trend(metric: Declared, unit: Unit, values: readonly number[]): Trend {
  return trendOf({ id: metric.id, title: metric.title, unit, better: metric.better }, trendPoints(values));
}

export const VERDICT: Verdict = {
  instrument: 'extraction',
  subject: 'extractor-b, prompt v6',
  validity: {
    runId: 'run-2026-11-14',
    at: '2026-11-14T09:30:00.000Z',
    scorer: '0.1.0',
    truthHash: 'sha256:7ef1c0de55a2b8b1f6d1a94c0f6f7f5a7ac3a2d1',
    cases: 12,
    skipped: { 'output could not be read': 1, 'golden answer is a draft': 2 },
  },
  metrics: METRICS,
  cases: CASES,
  comparison: COMPARISON,
  trends: [
    trend(PRECISION, 'ratio', [0.86, 0.868, 0.871, 0.88, 0.872, 0.875, 0.881, 0.875, 0.915]),
    trend(RECALL, 'ratio', [0.79, 0.812, 0.83, 0.826, 0.834, 0.841, 0.822, 0.804, 0.724]),
  ],
  gate: gate(CHECKS),
  notes: ['These cases are contracts and minutes; nothing is known about other texts.'],
};

export const NEXT: View['next'] = [
  { operation: 'explain', positionals: ['contract-supply-chain-annex-with-a-very-long-name-2023'] },
  { operation: 'approve', positionals: ['concept-recall'], options: { reason: 'seen' } },
];

/** The same run with nothing wrong and nothing to compare with. */
export const PASSED_VERDICT: Verdict = {
  instrument: 'extraction',
  subject: 'extractor-b, prompt v5',
  validity: { runId: 'run-1', at: '2026-11-01T00:00:00.000Z', scorer: '0.1.0', cases: 1, skipped: {} },
  metrics: [judged(PRECISION, estimate(0.93, 1))],
  cases: [sampleCase('memo-17', 1, 1, 0, 0.11)],
  trends: [],
  gate: gate([{ id: PRECISION.id, outcome: 'passed', reason: 'Concept precision is not in the fail zone' }]),
  notes: [],
};

const COMPOSITE = (coverage: number) => judged(OVERALL, estimate(0.8, 1, { coverage }));

/** A composite of which a part could not be measured: in one case wholly, in the other not. */
export const PARTLY_MEASURED_VERDICT: Verdict = {
  ...PASSED_VERDICT,
  metrics: [COMPOSITE(0.85)],
  cases: [
    { id: 'memo-17', metrics: [COMPOSITE(1)], notes: [], zone: 'pass' },
    { id: 'memo-18', metrics: [COMPOSITE(0.7)], notes: [], zone: 'pass' },
  ],
};

/** Nothing was measured at all. */
export const EMPTY_VERDICT: Verdict = {
  instrument: 'extraction',
  subject: 'nothing',
  validity: { runId: 'run-0', at: '2026-11-01T00:00:00.000Z', scorer: '0.1.0', cases: 0, skipped: {} },
  metrics: [],
  cases: [],
  trends: [],
  gate: gate([]),
  notes: [],
};
