/**
 * What one run of a review showed, after matching: which known errors it found, what became of each finding, and every
 * candidate pair with the criteria that made it one. Compact, immutable, enough to measure again with another metric.
 */
import type { Chance } from './match/chance.ts';
import type { Concern, Depth, FindingLabel } from './review.ts';
import type { Severity } from './truth.ts';

/** Why a finding and an error could be the same thing. Only objective criteria and opinions with an author. */
export type Criterion = 'file' | 'section' | 'quote' | 'lines' | 'category' | 'label';

export type MatchEdge = {
  readonly finding: string;
  readonly error: string;
  readonly strength: 'Y' | 'P';
  readonly criteria: readonly Criterion[];
  /** The one that the best assignment credits. */
  readonly chosen: boolean;
};

/** `MATCHED` and `PARTIAL` are credited to an error; the others are the four classes of unmatched findings. */
const FINDING_CLASSES = ['MATCHED', 'PARTIAL', 'BONUS_VALID', 'FALSE', 'DUPLICATE', 'UNRESOLVED'] as const;
export type FindingClass = (typeof FINDING_CLASSES)[number];

export type FindingOutcome = {
  readonly id: string;
  readonly title: string;
  readonly class: FindingClass;
  readonly error?: string;
  readonly concern?: string;
  readonly methods?: readonly string[];
  readonly depth?: Depth;
  /** Nobody but the workflow says that it is so deep. */
  readonly ownDepth?: true;
  readonly labels: readonly FindingLabel[];
  /** Labels by the workflow itself or by its model: shown, never counted. */
  readonly ownLabels?: readonly FindingLabel[];
  /** What makes it the same finding in another run: the error it matches, else its place and text. */
  readonly identity: string;
  /** The bait it took. */
  readonly trap?: string;
  /** It quotes something that the reviewed document does not hold; such a quote proves nothing. */
  readonly quoteMissing?: true;
  /** Its authors disagree and no third label has settled it. */
  readonly disputed?: true;
  /** The label that stands says something else than place, quote and lines do. */
  readonly againstCriteria?: true;
};

/** 1 for a full match, 0.5 for a partial one, 0 when it was missed. */
export type ErrorOutcome = {
  readonly id: string;
  readonly severity: Severity;
  readonly category: string;
  readonly credit: 0 | 0.5 | 1;
  readonly finding?: string;
  /** The document it lies in; errors of one document are not independent. */
  readonly document?: string;
  /** Hashes of its place, its words and the text of its document: what another task may have under another name. */
  readonly likeness?: Likeness;
};

export type Likeness = { readonly place?: string; readonly words?: string; readonly text?: string };

export type RunEvidence = {
  readonly workflow: string;
  readonly task: string;
  readonly run: string;
  readonly model?: string;
  readonly agentTokens?: number;
  readonly workflowTokens?: number;
  readonly costUsd?: number;
  readonly durationMs?: number;
  readonly truthHash: string;
  readonly matcherVersion: string;
  /** Who labelled findings of this run. */
  readonly evaluators: readonly string[];
  readonly categories: readonly string[];
  readonly concerns: readonly Concern[];
  readonly errors: readonly ErrorOutcome[];
  readonly findings: readonly FindingOutcome[];
  readonly edges: readonly MatchEdge[];
  /** What findings of the same number and width would have earned anywhere in their files. */
  readonly chance?: Chance;
  /** How many pairs there were, when they were too many to keep: `edges` then holds the best of each finding. */
  readonly pairs?: number;
  /** Only in a comparison: which side the run is on. */
  readonly arm?: 'baseline' | 'candidate';
};
