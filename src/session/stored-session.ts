/** The scoring input of a session as the store has it: enough to score it again after its transcript is gone. */
import type { FileReading, SessionFacts } from './evidence.ts';
import { type Delegated, delegatedTo } from './families.ts';
import type { WorkOutcome } from './outcomes/work-outcome.ts';
import { type ScoredSession, type SessionOptions, scoreSession } from './score-session.ts';
import { keyOfSession } from './session-key.ts';
import { currentVerification, type Verification } from './verify/verification.ts';

export type StoredSession = {
  readonly facts: SessionFacts;
  readonly file: FileReading;
  /** The latest result from its repository. */
  readonly work?: WorkOutcome | undefined;
  /** The result of the project's check on its commits. */
  readonly verification?: Verification | undefined;
  /** The outcomes of its sub-agent sessions. */
  readonly delegated?: Delegated | undefined;
  /** Its index among the sessions of its file, from 0. */
  readonly place?: number | undefined;
};

/** A session with everything that its row needs. */
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
