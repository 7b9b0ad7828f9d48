/** What a look back at production says: the documented reviews of a week, a month and a quarter. */
import type { GoldenFinding } from '../../golden/lint-case.ts';
import type { GoldenCase } from '../../ingest/golden-case.ts';
import type { LedgerDecision } from '../../prompts/ledger.ts';
import type { MetricCorrelation } from '../correlations.ts';
import type { ExperimentStatus } from '../experiment/from-ledger.ts';
import type { OperationalFigures, ProductionSpan, SampledFigures } from '../production.ts';
import type { WeightSuggestion } from '../suggest-weights.ts';
import type { BriefKind, BriefPeriod } from './brief-period.ts';
import type { CaseReview } from './case-review.ts';
import type { FailureTrend } from './failure-trend.ts';
import type { FeedbackTrend } from './feedback-trend.ts';
import type { LatencyTrend } from './latency-trend.ts';
import type { LowRequest } from './lowest-requests.ts';
import type { ThresholdReview } from './review-thresholds.ts';
import type { CanarySuggestion } from './suggest-canaries.ts';

export type Brief = BriefPeriod & {
  readonly kind: BriefKind;
  readonly operational: OperationalFigures;
  readonly sample: SampledFigures;
  /** The parts of its kind. */
  readonly week?: WeekParts;
  readonly month?: MonthParts;
  readonly quarter?: QuarterParts;
};

export type WeekParts = {
  readonly lowest: readonly LowRequest[];
  readonly feedback: FeedbackTrend;
  readonly failures: FailureTrend;
  readonly latency: LatencyTrend;
};

/** A golden case drafted from a request of production. */
export type CandidateCase = {
  readonly requestId: string;
  readonly at: string;
  /** Why this one: nobody tests its topic, or it went badly; 0–1 where its score is known. */
  readonly isNewTopic: boolean;
  readonly score?: number;
  readonly golden: GoldenCase;
  /** What lint still asks for. */
  readonly findings: readonly GoldenFinding[];
  /** Where it was written. */
  readonly path?: string;
};

export type MonthParts = {
  /** Golden cases there are, and runs of them that were looked at. */
  readonly cases: number;
  readonly runs: number;
  /** Sampled requests whose text was kept. */
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
  /** What was decided about prompts, newest first. */
  readonly decisions: readonly LedgerDecision[];
  readonly feedback: FeedbackTrend;
  readonly failures: FailureTrend;
  readonly days: number;
  readonly runs: number;
};
