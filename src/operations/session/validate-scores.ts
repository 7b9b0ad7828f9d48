import { readOutcomes, readRatings, readTasks } from '../../session/calibration/labels.ts';
import { type RatedPair, validateRatings } from '../../session/calibration/validate.ts';
import { type OutcomePair, validateOutcomes } from '../../session/calibration/validate-outcomes.ts';
import type { Validation } from '../../session/results.ts';
import type { Ports } from '../ports.ts';
import { type CollectedSession, collectSessions } from './collect-sessions.ts';
import { type LabelFile, withoutOutcomes } from './labels-request.ts';
import type { SessionRequest } from './session-request.ts';

export type ValidateRequest = SessionRequest & {
  readonly labels: LabelFile;
  /** How near r should be known, to either side. */
  readonly precision?: number | undefined;
};

/** Q held against what people or the world say. */
export function validateScores(request: ValidateRequest, ports: Ports): Promise<Validation> {
  const { labels, precision } = request;
  return collectSessions(withoutOutcomes(request), ports, ({ sessions }) =>
    'ratings' in labels
      ? {
          against: 'ratings' as const,
          validation: validateRatings(ratedPairs(sessions, labels.ratings), { precision }),
        }
      : {
          against: 'outcomes' as const,
          validation: validateOutcomes(outcomePairs(sessions, labels.outcomes)),
        },
  );
}

function ratedPairs(sessions: readonly CollectedSession[], path: string): RatedPair[] {
  const byId = new Map(sessions.map(({ session }) => [session.sessionId, session]));
  return readRatings(path).flatMap(({ sessionId, rating }) => {
    const session = byId.get(sessionId);
    return session === undefined ? [] : [{ sessionId, taskType: session.taskType, q: session.q, rating }];
  });
}

function outcomePairs(sessions: readonly CollectedSession[], path: string): OutcomePair[] {
  const [outcomes, tasks] = [readOutcomes(path), readTasks(path)];
  return sessions.flatMap(({ session: { sessionId, taskType, q }, file }) => {
    const outcome = outcomes.get(sessionId);
    return outcome === undefined
      ? []
      : [{ sessionId, taskType, q, outcome, source: file.path, task: tasks.get(sessionId) }];
  });
}
