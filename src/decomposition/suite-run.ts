import type { CaseChange } from '../judge/case-changes.ts';
import type { JudgedCase, JudgedMetric, Validity, Verdict } from '../judge/verdict.ts';
import type { Measurements } from '../measure/measure.ts';
import type { Measurement } from '../measure/metric.ts';
import type { CaseEvidence, MatchLevel } from './evidence.ts';
import type { OutputUsage } from './ingest/collect-cases.ts';
import type { LlmCounts } from './ingest/extractors/llm.ts';
import type { GoldenVersions } from './integrity.ts';

export type RunFacts = {
  readonly extractor: string;
  readonly prompt?: string;
  /** Hash of the sent text; absent if only its name is known. */
  readonly promptHash?: string;
  /** Name → hash of all prompts of the project at that time. */
  readonly promptFiles?: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly matchLevel: MatchLevel;
  readonly content?: string;
};

export type SuiteReading = {
  readonly golden: string;
  readonly doubts: readonly string[];
  readonly drafts?: readonly string[];
  /** Each golden case with its version and content hash. */
  readonly goldenVersions?: GoldenVersions;
  /** Problems of golden cases or outputs that make the numbers meaningless. */
  readonly integrity?: readonly string[];
  /** Why cases could not be measured: failed calls, or the budget was used up. */
  readonly failedCalls?: readonly string[];
  readonly unmatched: readonly string[];
  /** Whether the semantic level was measured, or why not. */
  readonly semantic: 'measured' | 'off' | 'not installed';
  readonly usage: OutputUsage;
  readonly calls?: LlmCounts;
};

/** `wanted`: a regression needs it. `not needed`: one was given without need. */
export type ApprovalState = 'wanted' | 'given' | 'not needed' | 'not asked';

export type Regression = {
  readonly baselineSubject: string;
  readonly caseChanges: readonly CaseChange[];
  readonly action: string;
  /** Changes explained by chance. */
  readonly noise: readonly string[];
  readonly approval: ApprovalState;
  /** The state of the reason for small regressions. */
  readonly reason: ApprovalState;
};

/** What the store contains for a run, in addition to its numbers and evidence: enough to show it again unchanged. */
export type SuiteFacts = {
  readonly names: RunFacts;
  readonly reading: SuiteReading;
  /** Level → its measurements; those at the gate's level are in the run itself. */
  readonly levels?: Readonly<Partial<Record<MatchLevel, Measurements>>>;
  readonly regression?: Pick<Regression, 'baselineSubject' | 'approval' | 'reason'>;
};

export type SuiteRun = {
  readonly verdict: Verdict;
  readonly facts: RunFacts;
  /** Absent if nothing was read, because both results came from files. */
  readonly reading?: SuiteReading;
  /** Case id → its evidence, at the match level of the gate. Absent: only the numbers are stored. */
  readonly evidence?: ReadonlyMap<string, CaseEvidence>;
  /** The suite at other match levels: level → metrics. */
  readonly levels?: Readonly<Record<string, readonly JudgedMetric[]>>;
  readonly regression?: Regression;
};

export type ExtractionFigures = {
  /** The share of outputs without anything to measure. */
  readonly errorRate: Measurement;
  readonly concepts: Measurement;
  readonly relationships: Measurement;
  readonly confidence: Measurement;
  readonly latencyP50: Measurement;
  readonly latencyP95: Measurement;
  readonly latencyP99: Measurement;
  readonly costUsd: Measurement;
  readonly totalCostUsd: Measurement;
};

export type ActivityFigures = ExtractionFigures & {
  readonly runs: number;
  readonly outputs: number;
  readonly verified: Measurement;
};

export type Activity = {
  readonly whole: ActivityFigures;
  /** Oldest first; `at` is the start, in UTC. */
  readonly hours: readonly (ActivityFigures & { readonly at: string })[];
  readonly days: readonly (ActivityFigures & { readonly at: string })[];
  /** Histogram of concept confidence: 0–0.1, 0.1–0.2 and so on. */
  readonly confidences: readonly number[];
  /** Runs that have only their numbers. */
  readonly withoutEvidence: number;
  /** There are older runs that were not read. */
  readonly partial: boolean;
};

/** A run does not store its text; it comes from the golden cases, if they still exist. */
export type CaseText =
  | {
      readonly state: 'here';
      readonly topic: string;
      readonly domain: string;
      readonly text: string;
      readonly citation?: string;
      /** The golden cases are those of the run, so offsets in the text are valid. */
      readonly asMeasured: boolean;
    }
  | { readonly state: 'absent'; readonly why: string };

export type ReadCase = {
  readonly validity: Validity;
  readonly subject: string;
  readonly names: RunFacts | undefined;
  readonly judged: JudgedCase;
  /** Absent: only the numbers are stored. */
  readonly evidence: CaseEvidence | undefined;
  readonly text: CaseText;
};
