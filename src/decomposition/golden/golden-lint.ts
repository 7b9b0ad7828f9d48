import type { SuiteFinding } from './lint-suite.ts';

/** What the lint of a folder of golden cases says. */
export type GoldenLint = {
  readonly folder: string;
  /** Those that keep the schema. */
  readonly cases: number;
  readonly domains: readonly { readonly domain: string; readonly cases: number }[];
  readonly findings: readonly SuiteFinding[];
  /** Ids of cases that nobody has corrected yet. */
  readonly drafts: readonly string[];
  /** The rules are not the documented ones. */
  readonly yours?: true;
  /** Only of files that were named: the suite as a whole was not looked at. */
  readonly isPart?: true;
  /** There is no golden case at all, readable or not: nothing to be proud of. */
  readonly isEmpty: boolean;
};
