import type { GoldenCase } from '../ingest/golden-case.ts';
import type { GoldenFinding } from './lint-case.ts';

/** A golden case that a program proposed, and where it was written. */
export type GoldenDraft = {
  readonly path: string;
  /** The folder of the golden cases. */
  readonly folder: string;
  readonly golden: GoldenCase;
  /** What lint still asks for. */
  readonly findings: readonly GoldenFinding[];
  readonly domainGiven: boolean;
};
