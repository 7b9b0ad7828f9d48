import type { Json } from './store.ts';

/**
 * One scored session as typed columns, because fleets query millions of them. `undefined` is unmeasured. Key:
 * `sessionId` with `revision`: the same session scored again with the same result is known, a grown or re-weighted
 * one is a new revision, and the one scored last is the current one. Because of that, scoring again moves the
 * `scoredAt` of a known revision forward: who goes back to the former weights sees the former revision again.
 */
export type SessionRow = {
  readonly sessionId: string;
  /** Hash of everything below except `scoredAt`. */
  readonly revision: string;
  /** As `Date.toISOString` writes it, like every time here. */
  readonly scoredAt: string;
  readonly parentSessionId?: string;
  readonly source: string;
  readonly agent?: string;
  readonly taskType: string;
  readonly model?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly q?: number;
  readonly tier?: string;
  readonly specialCase?: string;
  readonly completion?: number;
  readonly execution?: number;
  readonly efficiency?: number;
  readonly outcome?: number;
  readonly coverage: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly turns?: number;
  readonly toolCalls?: number;
  readonly toolErrors?: number;
  readonly compactions?: number;
  readonly costUsd?: number;
  readonly roi?: number;
  readonly runs: number;
  readonly skippedLines: number;
  readonly scorerVersion: string;
  readonly baselineSet?: string;
  /** Compact facts, enough to score again with other weights after the transcript is gone; never its text. */
  readonly facts: Json;
};
