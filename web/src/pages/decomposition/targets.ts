/** What is looked at wherever something is extracted (7.1 and the error rate of 7.3), and where it should be. */
import type { Unit } from '../../parts/measured.tsx';

export type Target = {
  readonly says: string;
  readonly met: (value: number) => boolean;
  /** Where it lies between two lines. */
  readonly between?: readonly [number, number];
};

/** As both the activity of stored runs and production call it. */
export type ExtractionKey =
  | 'error_rate'
  | 'latency_p50_ms'
  | 'latency_p95_ms'
  | 'latency_p99_ms'
  | 'concepts'
  | 'relationships'
  | 'confidence'
  | 'cost_usd'
  | 'total_cost_usd';

export type ExtractionFigure<Key = ExtractionKey> = {
  readonly key: Key;
  readonly name: string;
  readonly unit: Unit;
  readonly target?: Target;
};

export const QUOTES_TARGET: Target = { says: 'over 95%', met: (value) => value > 0.95 };

export const EXTRACTION_FIGURES: readonly ExtractionFigure[] = [
  {
    key: 'error_rate',
    name: 'Error rate',
    unit: 'ratio',
    target: { says: 'at most 1%', met: (value) => value <= 0.01 },
  },
  { key: 'latency_p50_ms', name: 'Latency, half of them', unit: 'ms' },
  {
    key: 'latency_p95_ms',
    name: 'Latency, 95 of 100',
    unit: 'ms',
    target: { says: 'under 3 s', met: (value) => value < 3000 },
  },
  { key: 'latency_p99_ms', name: 'Latency, 99 of 100', unit: 'ms' },
  {
    key: 'concepts',
    name: 'Concepts per topic',
    unit: 'count',
    target: { says: '15 to 30', met: (value) => value >= 15 && value <= 30, between: [15, 30] },
  },
  {
    key: 'relationships',
    name: 'Relationships per topic',
    unit: 'count',
    target: { says: '30 to 60', met: (value) => value >= 30 && value <= 60, between: [30, 60] },
  },
  {
    key: 'confidence',
    name: 'Mean confidence',
    unit: 'score',
    target: { says: 'over 0.75', met: (value) => value > 0.75 },
  },
  {
    key: 'cost_usd',
    name: 'Cost per request',
    unit: 'usd',
    target: { says: 'under $0.05', met: (value) => value < 0.05 },
  },
  { key: 'total_cost_usd', name: 'Cost of all', unit: 'usd' },
];
