import type { Concerns } from './concerns.ts';
import type { TaskType } from './profiles/task-type.ts';
import type { SessionScore } from './session-score.ts';

/** A session that scored low, with what took the score away. */
export type LowSession = {
  readonly key: string;
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q: number;
  readonly tier: string | undefined;
  readonly costUsd: number | undefined;
  readonly costIsLowerBound: boolean;
  readonly why: string;
  /** What a model said of it, 1–5. */
  readonly modelRating?: number;
};

type Concerning = { readonly key: string; readonly session: SessionScore; readonly concern: Concerns };

/** What was seen decides, whatever the Q: the most worrying first, of equals the most expensive. */
export function mostWorrying<One extends Concerning>(sessions: readonly One[]): One[] {
  return sessions
    .filter(({ concern, session }) => concern.weight > 0 && session.q !== undefined)
    .sort(
      (a, b) =>
        b.concern.weight - a.concern.weight ||
        (b.session.costUsd ?? 0) - (a.session.costUsd ?? 0) ||
        (a.session.sessionId < b.session.sessionId ? -1 : 1),
    );
}

export function worthALook(sessions: readonly Concerning[]): LowSession[] {
  return mostWorrying(sessions).flatMap(({ key, session, concern }) => {
    const { q, modelRating } = session;
    const rated = modelRating === undefined ? {} : { modelRating };
    return q === undefined ? [] : [{ ...lowOf(key, session, q, concern.why), ...rated }];
  });
}

type Explained = { readonly key: string; readonly session: SessionScore; readonly why: string };

/** Sums miss a line by rounding. */
export const TOLERANCE = 1e-9;

/** Lowest Q first, of equals the most expensive; sessions without a Q are none of them. */
export function lowSessions(sessions: readonly Explained[], below: number): LowSession[] {
  return sessions
    .flatMap(({ key, session, why }) =>
      session.q !== undefined && session.q < below - TOLERANCE ? [lowOf(key, session, session.q, why)] : [],
    )
    .sort(lowestFirst);
}

export function lowOf(
  key: string,
  session: Pick<SessionScore, 'sessionId' | 'taskType' | 'tier' | 'costUsd' | 'costIsLowerBound'>,
  q: number,
  why: string,
): LowSession {
  const { sessionId, taskType, tier, costUsd, costIsLowerBound } = session;
  return { key, sessionId, taskType, q, tier, costUsd, costIsLowerBound, why };
}

export function lowestFirst(
  a: { readonly q?: number; readonly costUsd?: number | undefined },
  b: { readonly q?: number; readonly costUsd?: number | undefined },
): number {
  return (a.q ?? 0) - (b.q ?? 0) || (b.costUsd ?? 0) - (a.costUsd ?? 0);
}
