/** What a session is scored from, as the store has it: enough to score it again after its transcript is gone. */
import type { FileReading, SessionFacts } from './evidence.ts';
import { type Delegated, delegatedTo } from './families.ts';
import type { WorkOutcome } from './outcomes/work-outcome.ts';
import { type ScoredSession, type SessionOptions, scoreSession } from './score-session.ts';
import { keyOfSession } from './session-key.ts';
import { currentVerification, type Verification } from './verify/verification.ts';

export type StoredSession = {
  readonly facts: SessionFacts;
  readonly file: FileReading;
  /** What its repository said when it was asked last. */
  readonly work?: WorkOutcome | undefined;
  /** What the project's own check said of its commits. */
  readonly verification?: Verification | undefined;
  /** What became of the sessions that it started. */
  readonly delegated?: Delegated | undefined;
  /** Its place among the sessions of its file, from 0. */
  readonly place?: number | undefined;
};

/** A session with all that its row is made of. */
export type FullSession = StoredSession & {
  readonly session: ScoredSession;
};

export function scoreStored(
  stored: StoredSession,
  options: SessionOptions,
  key = keyOf(stored),
): ScoredSession {
  const { facts, work, delegated } = stored;
  const verification = currentVerification(stored.verification, work);
  const scoring = {
    ...options,
    ...(work && { work: new Map([[key, work]]) }),
    ...(verification && { verifications: new Map([[key, verification]]) }),
    ...(delegated && { delegated: delegatedTo(facts, delegated) }),
  };
  const session = scoreSession(facts, scoring, key);
  if (work === undefined && verification === undefined && options.outcomes?.has(key) !== true) return session;
  const { work: _, verifications: __, outcomes: ___, ...before } = scoring;
  return { ...session, transcriptQ: scoreSession(facts, before, key).q };
}

export function keyOf({ facts, file }: Pick<StoredSession, 'facts' | 'file'>): string {
  return keyOfSession(facts, file);
}
