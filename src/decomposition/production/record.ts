/**
 * One request of a decomposition service in production: what it cost, how long it took and how much came of it. Never the
 * text itself, nor what was made of it: those are a record of their own, kept only where a team says so.
 */

/** Confidence is counted in this many bins of equal width, from 0 to 1. */
export const CONFIDENCE_BINS = 20;

/** Predicates of one record that are counted by name; the others are counted together. */
export const MOST_PREDICATES = 20;
export const OTHER_PREDICATES = '(other)';

/** Of how many concepts the confidence is known, their sum, and how many lie in each bin. */
export type ConfidenceCounts = {
  readonly n: number;
  readonly sum: number;
  readonly bins: readonly number[];
};

/** Key: `id`. What is not known is absent. */
export type DecompositionRecord = {
  readonly id: string;
  /** When the request was made, as `Date.toISOString` writes it. */
  readonly at: string;
  readonly status: 'ok' | 'error';
  /** A short name of what went wrong, such as `timeout`. */
  readonly errorKind?: string;
  readonly latencyMs?: number;
  readonly costUsd?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly model?: string;
  readonly promptVersion?: string;
  readonly topic?: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly textHash?: string;
  /** Characters of the text. */
  readonly textLength?: number;
  /** How many were extracted. */
  readonly concepts?: number;
  readonly relationships?: number;
  /** Of the concepts that say one. */
  readonly confidence?: ConfidenceCounts;
  /** Predicate → how many relationships have it. */
  readonly predicates?: Readonly<Record<string, number>>;
  /** It was drawn for a closer look, with this probability; what it was drawn from is its stratum. */
  readonly sample?: SampleDraw;
  /** Where the text was seen: quotes that concepts gave, and those of them that stand in it. */
  readonly quotes?: { readonly given: number; readonly verified: number };
  /** Where the text was seen: concepts, and those of them that it never mentions. */
  readonly unmentioned?: { readonly concepts: number; readonly unmentioned: number };
  /** Of the company that runs several services; absent: nobody's. */
  readonly project?: string;
  readonly experiment?: { readonly id: string; readonly arm: string; readonly keyHash: string };
};

export type SampleDraw = { readonly probability: number; readonly stratum: string };

/** The text of a sampled request and what was made of it, masked. Key: `id`, that of its record. */
export type DecompositionText = {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  /** As the service gave it. */
  readonly output?: Json;
};

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** As no project is written here. */
const OF_NONE = '@';

/**
 * Under which id a request of production is kept. Senders choose ids for themselves, so that two projects may choose the
 * same: in a project it is `project:id`. Of no project it is the id; one with a colon, which might be that of a project,
 * is `@:id`. No project has a colon or an @ in it as it is written here, so no two are the same.
 */
export function requestKey(project: string | undefined, id: string): string {
  return project === undefined && !id.includes(':') ? id : `${keyPrefix(project)}${id}`;
}

/** What keys begin with that are not the id alone. */
export function keyPrefix(project: string | undefined): string {
  return `${project === undefined ? OF_NONE : encodeURIComponent(project.toWellFormed())}:`;
}
