import type { KeptColumns } from '../session/columns.ts';
import type { Json } from './store.ts';

/**
 * One scored session as typed columns, because fleets query millions of them. `undefined` is unmeasured. Key:
 * `sessionKey` with `revision`: the same session scored again with the same result is known, a grown or re-weighted
 * one is a new revision, and the one scored last is the current one. Because of that, scoring again moves the
 * `scoredAt` of a known revision forward: who goes back to the former weights sees the former revision again. Of a
 * current one that need not be told more than once a day. Several sessions may have one `sessionId` (session-key.ts).
 */
export type SessionRow = KeptColumns & {
  /** Hash of everything else except `sessionKey` and `scoredAt`. */
  readonly revision: string;
  /** As `Date.toISOString` writes it, like every time here. */
  readonly scoredAt: string;
  /** 1: it cost at least `costUsd`, and how much more is not known. */
  readonly costAtLeast?: number;
  /** The models it used beside `model`, by name, one a line. */
  readonly otherModels?: string;
  /** How much in it a person would want to look at (session/concerns.ts); rows from before this was kept lack it. */
  readonly concern?: number;
  /** What in it deserves a look, in words, and what took its score away. */
  readonly concernWhy?: string;
  readonly lowWhy?: string;
  /** What a file of many results calls the run. */
  readonly instance?: string;
  /** Its place among the sessions of its file, from 0. */
  readonly place?: number;
  /** Compact facts, enough to score again with other weights after the transcript is gone; never its text. */
  readonly facts: Json;
};
