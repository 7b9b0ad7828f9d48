import { MIN_PER_SOURCE } from '../../session/calibration/folds.ts';
import { joinLabels } from '../../session/calibration/harness/join-labels.ts';
import { readReport } from '../../session/calibration/harness/read-report.ts';
import { readOutcomes, readRatings, readTasks } from '../../session/calibration/labels.ts';
import { type RatedPair, validateRatings } from '../../session/calibration/validate.ts';
import {
  type OutcomePair,
  type OutcomeValidation,
  validateOutcomes,
} from '../../session/calibration/validate-outcomes.ts';
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
          validation:
            'report' in labels
              ? againstReport(sessions, labels.report)
              : validateOutcomes(outcomePairs(sessions, labels.outcomes)),
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
  const sourceOf = sourcesOf(sessions);
  const [outcomes, tasks] = [readOutcomes(path), readTasks(path)];
  return sessions.flatMap(({ session, file }) => {
    const { sessionId, taskType, q } = session;
    const outcome = outcomes.get(sessionId);
    if (outcome === undefined) return [];
    const source = sourceOf(session, file.path);
    return [{ sessionId, taskType, q, outcome, source, task: tasks.get(sessionId) }];
  });
}

/** What the harness says of a run is held against its Q, and never becomes part of it. */
function againstReport(sessions: readonly CollectedSession[], path: string): OutcomeValidation {
  const sourceOf = sourcesOf(sessions);
  const runs = sessions.map(({ session, file }) => ({
    sessionId: session.sessionId,
    path: file.path,
    startedAt: session.startedAt,
    session,
  }));
  const { joined, unmatched, ambiguous } = joinLabels(readReport(path).labels, runs);
  const validation = validateOutcomes(
    joined.map(({ session: { session, path: source }, outcome, task }) => ({
      sessionId: session.sessionId,
      taskType: session.taskType,
      q: session.q,
      outcome,
      source: sourceOf(session, source),
      task,
    })),
  );
  const skipped = {
    ...validation.skipped,
    ...(unmatched > 0 && { 'labels of runs that are not among these sessions': unmatched }),
    ...(ambiguous > 0 && { 'labels that fit several sessions equally': ambiguous }),
  };
  return { ...validation, skipped };
}

/** Sessions that resemble each other: a file of many runs, else those of one agent with one model. */
function sourcesOf(sessions: readonly CollectedSession[]) {
  const perFile = new Map<string, number>();
  for (const { file } of sessions) perFile.set(file.path, (perFile.get(file.path) ?? 0) + 1);
  return ({ agent, source, model }: CollectedSession['session'], path: string): string =>
    (perFile.get(path) ?? 0) >= MIN_PER_SOURCE ? path : [agent ?? source, model].filter(Boolean).join(' ');
}
