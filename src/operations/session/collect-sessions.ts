import { type Concerns, concernsOf, WORTH_A_LOOK } from '../../session/concerns.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import type { LeftOut } from '../../session/results.ts';
import { scoreSession } from '../../session/score-session.ts';
import { keyOfSession } from '../../session/session-key.ts';
import { type SessionScore, Shortener } from '../../session/session-score.ts';
import { whyLow } from '../../session/why-low.ts';
import type { Ports } from '../ports.ts';
import { withOpinion } from './model-opinions.ts';
import {
  type FullSession,
  type ScoreSessionsRequest,
  type Scoring,
  scoreSessions,
} from './score-sessions.ts';

/** A session as it stays in memory. */
export type CollectedSession = {
  readonly key: string;
  readonly session: SessionScore;
  readonly file: FileReading;
  /** What took the score away, for those that score low. */
  readonly why: string;
  /** What a person would want to look at in it. */
  readonly concern: Concerns;
  readonly facts: SessionFacts;
};

export type CollectedSessions = Scoring & {
  readonly sessions: readonly CollectedSession[];
  /** All about one of them again. */
  readonly detailsOf: (one: CollectedSession) => FullSession;
};

const NO_CONCERN: Concerns = { weight: 0, why: '' };

export type CollectOptions = {
  /** Sessions with a lower Q come with the reason for it. */
  readonly whyBelow?: number | undefined;
  readonly each?: ((one: FullSession) => void | Promise<void>) | undefined;
};

/** Scores, and keeps of each session the little that comparing them needs; details only while `use` is at work. */
export async function collectSessions<Result extends object>(
  request: ScoreSessionsRequest,
  ports: Ports,
  use: (collected: CollectedSessions) => Result | Promise<Result>,
  { whyBelow = 0, each }: CollectOptions = {},
): Promise<Result & LeftOut> {
  const sessions: CollectedSession[] = [];
  const short = new Shortener();
  const { opinions, ...scoring } = await scoreSessions(request, ports, (one) => {
    const { session, file } = one;
    const why = session.q !== undefined && session.q < whyBelow ? short.text(whyLow(session)) : '';
    const key = keyOfSession(one.facts, file);
    const { weight, why: seen } = concernsOf(session, one.facts);
    const concern = weight < WORTH_A_LOOK ? NO_CONCERN : { weight, why: short.text(seen) };
    sessions.push({
      key,
      session: short.scoreOf(session, one.facts.project),
      file,
      why,
      concern,
      facts: one.facts,
    });
    return each?.(one);
  });
  const detailsOf = ({ facts, file }: CollectedSession): FullSession => {
    const key = keyOfSession(facts, file);
    return {
      session: withOpinion(scoreSession(facts, scoring.options, key), key, opinions),
      facts,
      file,
    };
  };
  const { unreadable, unjoined, weightsDoubts, scoredOtherwise } = scoring;
  const left = { unreadable, unjoined, weightsDoubts, scoredOtherwise };
  return { ...(await use({ ...scoring, opinions, sessions, detailsOf })), ...left };
}
