/** What people or the world say of sessions: a file of ratings or a file of outcomes. */
import type { SessionRequest } from './session-request.ts';

export type LabelFile = { readonly ratings: string } | { readonly outcomes: string };

/** Q is held against the labels, or fitted to them: known outcomes must not be part of it. */
export function withoutOutcomes<Request extends SessionRequest>(request: Request): Request {
  const { outcomes: _, ...scoring } = request.scoring ?? {};
  return { ...request, scoring };
}
