/** A ground truth: what a review should find, and the traps it must not report. `ingest/` reads every format. */
import type { z } from 'zod';
import type { knownErrorSchema } from './ingest/truth-schema.ts';

/** Heaviest first; the weights are those of the weighted detection score. */
export const SEVERITIES = ['CRITICAL', 'IMPORTANT', 'MINOR'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const SEVERITY_POINTS: Readonly<Record<Severity, number>> = { CRITICAL: 3, IMPORTANT: 2, MINOR: 1 };

/** The documented set; a ground truth may declare others. */
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

/** Lines start at 1; both ends are included. */
export type Location = {
  readonly file?: string;
  readonly section?: string;
  readonly lines?: readonly [from: number, to: number];
};

export type KnownError = Readonly<
  Pick<z.output<typeof knownErrorSchema>, 'id' | 'severity' | 'category' | 'description' | 'quote'>
> & {
  readonly locations: readonly Location[];
  /** Other categories that a finding may report for it. */
  readonly acceptCategories?: readonly string[];
};

/** A trap: a finding that reports it is false. */
export type Trap = Omit<KnownError, 'severity' | 'category'> & { readonly category?: string };

export type GroundTruth = {
  readonly task: string;
  readonly version: string;
  readonly categories: readonly string[];
  readonly errors: readonly KnownError[];
  readonly traps: readonly Trap[];
  /** Generated and not yet corrected by a user. */
  readonly draft?: true;
  /** `file`: every file contains one known case, so a finding in that file with its category is about it. */
  readonly identify?: 'file';
  /** Two results are comparable only if they have the same hash. */
  readonly hash: string;
};
