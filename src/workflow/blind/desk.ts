/** What a blind evaluation lays before people. */
import type { Assessment } from './answers.ts';
import type { shownCandidates, shownFinding, shownStatement } from './material.ts';
import type { Scope } from './protocol.ts';

export type ShownFinding = ReturnType<typeof shownFinding>;
export type ShownStatement = ReturnType<typeof shownStatement>;

/** Step 3: findings beside the errors that objective criteria connect them with. */
export type ShownToMatch = {
  readonly scope: Scope;
  readonly findings: readonly (ShownFinding & {
    /** The evaluator's own, blind one. */
    readonly assessment: Assessment | undefined;
    readonly candidates: ReturnType<typeof shownCandidates>;
  })[];
  readonly errors: readonly ShownStatement[];
};

/** What lies before one evaluator now. */
export type BlindDesk =
  | { readonly step: 'assess'; readonly of: number; readonly findings: readonly ShownFinding[] }
  /** The statements are there once the evaluator has asked to see them. */
  | { readonly step: 'predict'; readonly of: number; readonly errors?: readonly ShownStatement[] }
  | ({ readonly step: 'match'; readonly of: number } & ShownToMatch)
  /** All is sealed; who is still at work, and what nobody has settled. */
  | { readonly step: 'check'; readonly waiting: readonly string[]; readonly disputed: readonly string[] }
  | { readonly step: 'opened' };

export type BlindStarted = {
  readonly folder: string;
  readonly findings: number;
  /** How many findings the runs have; the same words in several runs are judged once. */
  readonly reported: number;
  readonly runs: number;
  readonly errors: number;
  readonly truthHash: string;
  readonly receipt: string;
  readonly evaluators: readonly string[];
};
