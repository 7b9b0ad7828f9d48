/** What operations on stored runs give. The wire encodes it, programs read it as it is. */
import type { JudgedCase, Validity } from '../judge/verdict.ts';
import type { Measurement } from '../measure/metric.ts';
import type { CaseEvidence } from './evidence.ts';
import type { RunFacts } from './suite-run.ts';

/** How extraction went, of golden cases or in production; what no output says is unmeasured. */
export type ExtractionFigures = {
  /** Of all outputs those that gave nothing to measure. */
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

/** The same over every output of the stored runs in some time. */
export type ActivityFigures = ExtractionFigures & {
  readonly runs: number;
  readonly outputs: number;
  /** Of the quotes, the share that stands in the text. */
  readonly verified: Measurement;
};

export type Activity = {
  readonly whole: ActivityFigures;
  /** Oldest first; `at` is the beginning, in UTC. */
  readonly hours: readonly (ActivityFigures & { readonly at: string })[];
  readonly days: readonly (ActivityFigures & { readonly at: string })[];
  /** How many concepts were given a confidence of 0–0.1, 0.1–0.2 and so on. */
  readonly confidences: readonly number[];
  /** Runs that kept only their numbers. */
  readonly withoutEvidence: number;
  /** There are older runs that were not looked at. */
  readonly partial: boolean;
};

/** The text that was examined is not kept with a run: it is in the golden cases, where those are still at hand. */
export type CaseText =
  | {
      readonly state: 'here';
      readonly topic: string;
      readonly domain: string;
      readonly text: string;
      readonly citation?: string;
      /** The golden cases are those that the run was measured against, so places in the text are right. */
      readonly asMeasured: boolean;
    }
  | { readonly state: 'absent'; readonly why: string };

export type ReadCase = {
  readonly validity: Validity;
  readonly subject: string;
  readonly names: RunFacts | undefined;
  readonly judged: JudgedCase;
  /** Absent: only the numbers were kept. */
  readonly evidence: CaseEvidence | undefined;
  readonly text: CaseText;
};
