/** A review: one execution of one version of a workflow on one task. `ingest/` reads every format. */
import type { z } from 'zod';
import type { findingSchema, labelSchema } from './ingest/run-schema.ts';
import type { Location } from './truth.ts';

/** From surface to root; the score of a depth is its position in this list, from 1. */
export const DEPTHS = ['SYMPTOM', 'CAUSE', 'STRUCTURE', 'ASSUMPTION', 'ROOT_CAUSE'] as const;
export type Depth = (typeof DEPTHS)[number];

export const LABELS = ['Y', 'P', 'BONUS_VALID', 'FALSE', 'DUPLICATE', 'UNRESOLVED'] as const;

/** A person's or a named model's judgement of a finding. */
export type FindingLabel = Readonly<Omit<z.output<typeof labelSchema>, 'properties'>>;

export type Finding = Readonly<
  Omit<z.output<typeof findingSchema>, 'label' | 'labels' | 'lines' | 'methods' | 'properties'>
> &
  Pick<Location, 'lines'> & {
    readonly methods?: readonly string[];
    /** One per author, in the order given; if two disagree, a third decides. */
    readonly labels: readonly FindingLabel[];
  };

export type Concern = { readonly id: string; readonly layer: string; readonly methods: readonly string[] };

/** Counts by another tool, without the findings themselves. */
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
  /** Present instead of findings: allows detection rate and precision, but no metric that needs single errors. */
  readonly tally?: Tally;
  /** The source file, for messages. */
  readonly path?: string;
};

/** The comments of a pull request, imported into a run file. */
export type ImportedPullRequest = {
  readonly path: string;
  readonly task: string;
  /** The comment authors, and how many of their comments are findings. */
  readonly runs: readonly { readonly workflow: string; readonly findings: number }[];
};
