/** What a review reported: one execution of one version of a workflow on one task. `ingest/` reads every format. */
import type { z } from 'zod';
import type { findingSchema, labelSchema } from './ingest/run-schema.ts';
import type { Location } from './truth.ts';

/** From the surface down; the score of a depth is its place in this list, from 1. */
export const DEPTHS = ['SYMPTOM', 'CAUSE', 'STRUCTURE', 'ASSUMPTION', 'ROOT_CAUSE'] as const;
export type Depth = (typeof DEPTHS)[number];

export const LABELS = ['Y', 'P', 'BONUS_VALID', 'FALSE', 'DUPLICATE', 'UNRESOLVED'] as const;

/** What a person or a named model says a finding is: evidence with an author. */
export type FindingLabel = Readonly<Omit<z.output<typeof labelSchema>, 'properties'>>;

export type Finding = Readonly<
  Omit<z.output<typeof findingSchema>, 'label' | 'labels' | 'lines' | 'methods' | 'properties'>
> &
  Pick<Location, 'lines'> & {
    readonly methods?: readonly string[];
    /** One per author, in the order they were given; two that disagree go to a third. */
    readonly labels: readonly FindingLabel[];
  };

export type Concern = { readonly id: string; readonly layer: string; readonly methods: readonly string[] };

/** Counts of another tool, where the findings themselves are unknown. */
export type Tally = { readonly expected: number; readonly matched: number; readonly reported: number };

export type ReviewRun = {
  readonly workflow: string;
  readonly task: string;
  readonly run: string;
  /** The version of the ground truth that its labels refer to. */
  readonly truthVersion?: string;
  readonly model?: string;
  readonly agentTokens?: number;
  readonly workflowTokens?: number;
  readonly costUsd?: number;
  readonly durationMs?: number;
  readonly concerns: readonly Concern[];
  readonly findings: readonly Finding[];
  /** Instead of findings: detection rate and precision can be had, and nothing that asks which error was found. */
  readonly tally?: Tally;
  /** The file it came from, for messages. */
  readonly path?: string;
};

/** The comments of a pull request that were written to a run file. */
export type ImportedPullRequest = {
  readonly path: string;
  readonly task: string;
  /** Whose comments there are, and how many of them are findings. */
  readonly runs: readonly { readonly workflow: string; readonly findings: number }[];
};
