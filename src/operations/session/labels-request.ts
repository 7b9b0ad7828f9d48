/** What people or the world say of sessions: a file of ratings, a file of outcomes, or a benchmark's report. */
import type { SessionRequest } from './session-request.ts';

export type LabelFile =
  | { readonly ratings: string }
  | { readonly outcomes: string }
  /** What a harness wrote: a file, or the folder of a job. */
  | { readonly report: string };

/** Q is held against the labels, or fitted to them: known outcomes must not be part of it. */
export function withoutOutcomes<Request extends SessionRequest>(request: Request): Request {
  const { outcomes: _, ...scoring } = request.scoring ?? {};
  return { ...request, scoring };
}
