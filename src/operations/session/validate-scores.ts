import { basename } from 'node:path';
import { MIN_PER_SOURCE } from '../../session/calibration/folds.ts';
import { joinLabels, nothingJoins } from '../../session/calibration/harness/join-labels.ts';
import { type HarnessReport, readReport } from '../../session/calibration/harness/read-report.ts';
import {
  readOutcomes,
  readRatings,
  readTasks,
  type SessionRating,
} from '../../session/calibration/labels.ts';
import { type RatedPair, validateRatings } from '../../session/calibration/validate.ts';
import {
  type OutcomePair,
  type OutcomeValidation,
  validateOutcomes,
} from '../../session/calibration/validate-outcomes.ts';
import type { Validation } from '../../session/results.ts';
import type { SessionScore } from '../../session/session-score.ts';
import type { Ports } from '../ports.ts';
import { type CollectedSession, type CollectedSessions, collectSessions } from './collect-sessions.ts';
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
  if ('report' in labels) {
    const { report } = labels;
    return collectSessions(given, ports, async ({ sessions }) => ({
      against: 'outcomes' as const,
      validation: againstReport(sessions, await readReport(report)),
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
  const sourceOf = sourcesOf(sessions);
  return sessions.flatMap((one) => {
    const { key, session } = one;
    const { sessionId, taskType, q } = session;
    const name = shared.has(sessionId) || outcomes.has(key) ? key : sessionId;
    const outcome = outcomes.get(name);
    return outcome === undefined
      ? []
      : [{ sessionId: name, taskType, q, outcome, source: sourceOf(one), task: tasks.get(name) }];
  });
}

/** What the harness says of a run is held against its Q, and never becomes part of it. */
function againstReport(sessions: readonly CollectedSession[], report: HarnessReport): OutcomeValidation {
  const sourceOf = sourcesOf(sessions);
  const runs = sessions.map((one) => ({
    one,
    sessionId: one.session.sessionId,
    path: one.file.path,
    startedAt: one.session.startedAt,
  }));
  const { joined, unmatched, ambiguous } = joinLabels(report.labels, runs);
  if (joined.length === 0) throw nothingJoins(report.labels, runs, ambiguous);
  const validation = validateOutcomes(
    joined.map(({ session: { one }, outcome, task }) => ({
      sessionId: one.key,
      taskType: one.session.taskType,
      q: one.session.q,
      outcome,
      source: sourceOf(one),
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
function sourcesOf(sessions: readonly CollectedSession[]): (one: CollectedSession) => string {
  const perFile = new Map<string, number>();
  for (const { file } of sessions) perFile.set(file.path, (perFile.get(file.path) ?? 0) + 1);
  const named = Map.groupBy(perFile.keys(), (path) => basename(path));
  const nameOf = (path: string) => (named.get(basename(path))?.length === 1 ? basename(path) : path);
  return ({ session: { agent, source, model }, file: { path } }) =>
    (perFile.get(path) ?? 0) >= MIN_PER_SOURCE
      ? nameOf(path)
      : [agent ?? source, model].filter(Boolean).join(' ');
}
