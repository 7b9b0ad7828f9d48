/** What a review should find, and what it must not take for an error. `ingest/` reads it from every format. */
import type { z } from 'zod';
import type { knownErrorSchema } from './ingest/truth-schema.ts';

/** Heaviest first; the weights are those of the weighted detection score. */
export const SEVERITIES = ['CRITICAL', 'IMPORTANT', 'MINOR'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const SEVERITY_POINTS: Readonly<Record<Severity, number>> = { CRITICAL: 3, IMPORTANT: 2, MINOR: 1 };

/** The documented set; a ground truth may declare another one. */
export const CATEGORIES = [
  'SCOPE',
  'ASSUME',
  'SKIP',
  'SHALLOW',
  'CONFLICT',
  'INTEGRATE',
  'EDGE',
  'DEPEND',
  'PERF',
  'SECURE',
] as const;

/** Lines count from 1 and include both ends. */
export type Location = {
  readonly file?: string;
  readonly section?: string;
  readonly lines?: readonly [from: number, to: number];
};

export type KnownError = Readonly<
  Pick<z.output<typeof knownErrorSchema>, 'id' | 'severity' | 'category' | 'description' | 'quote'>
> & {
  readonly locations: readonly Location[];
  /** Categories under which a finding may report it as well. */
  readonly acceptCategories?: readonly string[];
};

/** Bait: a finding that reports it is false. */
export type Trap = Omit<KnownError, 'severity' | 'category'> & { readonly category?: string };

export type GroundTruth = {
  readonly task: string;
  readonly version: string;
  readonly categories: readonly string[];
  readonly errors: readonly KnownError[];
  readonly traps: readonly Trap[];
  /** A program proposed it and nobody has corrected it. */
  readonly draft?: true;
  /** `file`: every file holds one known case, so that a finding in that file and of that category is about it. */
  readonly identify?: 'file';
  /** Two results are comparable only against the same hash. */
  readonly hash: string;
};
