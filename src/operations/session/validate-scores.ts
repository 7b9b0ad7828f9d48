import {
  readOutcomes,
  readRatings,
  readTasks,
  type SessionRating,
} from '../../session/calibration/labels.ts';
import { type RatedPair, validateRatings } from '../../session/calibration/validate.ts';
import { type OutcomePair, validateOutcomes } from '../../session/calibration/validate-outcomes.ts';
import type { Validation } from '../../session/results.ts';
import type { SessionScore } from '../../session/session-score.ts';
import type { Ports } from '../ports.ts';
import { type CollectedSessions, collectSessions } from './collect-sessions.ts';
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
  const given = withoutOutcomes(request);
  if ('ratings' in labels) {
    const ratings = readRatings(labels.ratings);
    const labelled = ratings.map(({ sessionId }) => sessionId);
    return collectSessions({ ...given, labelled }, ports, (collected) => ({
      against: 'ratings' as const,
      validation: validateRatings(ratedPairs(collected, ratings), { precision }),
    }));
  }
  const [outcomes, tasks] = [readOutcomes(labels.outcomes), readTasks(labels.outcomes)];
  return collectSessions({ ...given, labelled: outcomes.keys() }, ports, (collected) => ({
    against: 'outcomes' as const,
    validation: validateOutcomes(outcomePairs(collected, outcomes, tasks)),
  }));
}

function ratedPairs(collected: CollectedSessions, ratings: readonly SessionRating[]): RatedPair[] {
  const byName = new Map<string, SessionScore>();
  for (const { key, session } of collected.sessions) byName.set(key, session).set(session.sessionId, session);
  for (const { sessionId } of collected.unjoined) byName.delete(sessionId);
  return ratings.flatMap(({ sessionId, rating }) => {
    const session = byName.get(sessionId);
    return session === undefined ? [] : [{ sessionId, taskType: session.taskType, q: session.q, rating }];
  });
}

function outcomePairs(
  { sessions, unjoined }: CollectedSessions,
  outcomes: ReadonlyMap<string, number>,
  tasks: ReadonlyMap<string, string>,
): OutcomePair[] {
  const shared = new Set(unjoined.map(({ sessionId }) => sessionId));
  return sessions.flatMap(({ key, session: { sessionId, taskType, q }, file }) => {
    const name = shared.has(sessionId) || outcomes.has(key) ? key : sessionId;
    const outcome = outcomes.get(name);
    return outcome === undefined
      ? []
      : [{ sessionId: name, taskType, q, outcome, source: file.path, task: tasks.get(name) }];
  });
}
