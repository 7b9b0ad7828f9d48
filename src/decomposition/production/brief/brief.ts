import type { GoldenFinding } from '../../golden/lint-case.ts';
import type { GoldenCase } from '../../ingest/golden-case.ts';
import type { LedgerDecision } from '../../prompts/ledger.ts';
import type { MetricCorrelation, WeightSuggestion } from '../correlations.ts';
import type { ExperimentStatus } from '../experiment/plan.ts';
import type { OperationalFigures, ProductionSpan, SampledFigures } from '../production.ts';
import type { CanarySuggestion, CaseReview } from './month.ts';
import type { ThresholdReview } from './review-thresholds.ts';
import type { FailureTrend, FeedbackTrend, LatencyTrend, LowRequest, WeekDay } from './week.ts';

export type Brief = BriefPeriod & {
  readonly kind: BriefKind;
  readonly operational: OperationalFigures;
  readonly sample: SampledFigures;
  readonly week?: WeekParts;
  readonly month?: MonthParts;
  readonly quarter?: QuarterParts;
};

export type WeekParts = {
  readonly lowest: readonly LowRequest[];
  readonly feedback: FeedbackTrend;
  readonly failures: FailureTrend;
  readonly latency: LatencyTrend;
  /** Oldest first. */
  readonly days: readonly WeekDay[];
};

export type CandidateCase = {
  readonly requestId: string;
  readonly at: string;
  readonly isNewTopic: boolean;
  readonly score?: number;
  readonly golden: GoldenCase;
  readonly findings: readonly GoldenFinding[];
  readonly path?: string;
};

export type MonthParts = {
  /** Golden cases there are, and runs of them that were looked at. */
  readonly cases: number;
  readonly runs: number;
  readonly texts: number;
  readonly candidates: readonly CandidateCase[];
  readonly review: readonly CaseReview[];
  readonly canaries: readonly CanarySuggestion[];
  /** Outputs of which both a metric and an opinion is known. */
  readonly rated: number;
  readonly correlations: readonly MetricCorrelation[];
  readonly weights: WeightSuggestion;
};

export type QuarterParts = {
  readonly experiments: readonly ExperimentStatus[];
  readonly thresholds: readonly ThresholdReview[];
  /** By prompt version and model, the most requests first, with what the sample of each says. */
  readonly versions: readonly (ProductionSpan & { readonly sample: SampledFigures })[];
  readonly decisions: readonly LedgerDecision[];
  readonly feedback: FeedbackTrend;
  readonly failures: FailureTrend;
  readonly days: number;
  readonly runs: number;
};

const BRIEF_DAYS = { week: 7, month: 30, quarter: 91 } as const;

export type BriefKind = keyof typeof BRIEF_DAYS;

export type BriefPeriod = {
  readonly since: string;
  readonly until: string;
  /** Where the span of the same length before begins. */
  readonly before: string;
};

export function briefPeriod(kind: BriefKind, until: Date): BriefPeriod {
  const days = BRIEF_DAYS[kind];
  const back = (count: number) => new Date(until.getTime() - count * 86_400_000).toISOString();
  return { since: back(days), until: until.toISOString(), before: back(2 * days) };
}
