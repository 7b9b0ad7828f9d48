/**
 * The result of matching one run of a review: which known errors it found, the class of each finding, and every
 * candidate pair with its criteria. Immutable and compact, and enough to compute further metrics.
 */
import type { Chance } from './match/chance.ts';
import type { Concern, Depth, FindingLabel } from './review.ts';
import type { Severity } from './truth.ts';

/** Why a finding and an error could be the same: only objective criteria, and labels with an author. */
export type Criterion = 'file' | 'section' | 'quote' | 'lines' | 'category' | 'label';

export type MatchEdge = {
  readonly finding: string;
  readonly error: string;
  readonly strength: 'Y' | 'P';
  readonly criteria: readonly Criterion[];
  /** Credited by the best assignment. */
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
  /** Only the workflow itself claims this depth. */
  readonly ownDepth?: true;
  readonly labels: readonly FindingLabel[];
  /** Labels by the workflow itself or by its model: shown, but not counted. */
  readonly ownLabels?: readonly FindingLabel[];
  /** Identifies the same finding in another run: the matched error, else place and text. */
  readonly identity: string;
  /** The trap it fell for. */
  readonly trap?: string;
  /** Its quote is not in the reviewed document. Such a quote proves nothing. */
  readonly quoteMissing?: true;
  /** Its authors disagree and no third label has settled the dispute. */
  readonly disputed?: true;
  /** The deciding label contradicts place, quote and lines. */
  readonly againstCriteria?: true;
};

/** 1 for a full match, 0.5 for a partial one, 0 for a missed error. */
export type ErrorOutcome = {
  readonly id: string;
  readonly severity: Severity;
  readonly category: string;
  readonly credit: 0 | 0.5 | 1;
  readonly finding?: string;
  /** The document with the error; errors in one document are not independent. */
  readonly document?: string;
  /** Hashes of its place, its words and its document, to recognise the same text in another task. */
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
  /** Authors of the labels in this run. */
  readonly evaluators: readonly string[];
  readonly categories: readonly string[];
  readonly concerns: readonly Concern[];
  readonly errors: readonly ErrorOutcome[];
  readonly findings: readonly FindingOutcome[];
  readonly edges: readonly MatchEdge[];
  /** The score of random findings of the same number and width in the same files. */
  readonly chance?: Chance;
  /** Total number of pairs if there were too many to store; `edges` then holds the best ones of each finding. */
  readonly pairs?: number;
  /** The side of the run, in comparisons only. */
  readonly arm?: 'baseline' | 'candidate';
};
