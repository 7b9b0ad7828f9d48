import { basename } from 'node:path';
import { MIN_PER_SOURCE } from '../../session/calibration/folds.ts';
import { joinLabels, nothingJoins } from '../../session/calibration/harness/join-labels.ts';
import { type HarnessReport, readReport } from '../../session/calibration/harness/read-report.ts';
import {
  readLabelNames,
  readOutcomes,
  readRatings,
  readTasks,
  type SessionRating,
} from '../../session/calibration/labels.ts';
import {
  type OutcomePair,
  type OutcomeValidation,
  validateOutcomes,
} from '../../session/calibration/validate-outcomes.ts';
import { type RatedPair, validateRatings } from '../../session/calibration/validate-ratings.ts';
import type { Validation } from '../../session/results.ts';
import type { Ports } from '../ports.ts';
import { type CollectedSession, type CollectedSessions, collectSessions } from './collect-sessions.ts';
import { byKey } from './joinable.ts';
import { type LabelFile, withoutOutcomes } from './labels-request.ts';
import { namedOnce } from './name-sessions.ts';
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
    const labelled = readLabelNames(labels.ratings, 'rating');
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
  return collectSessions(
    { ...given, labelled: readLabelNames(labels.outcomes, 'outcome') },
    ports,
    (collected) => ({
      against: 'outcomes' as const,
      validation: validateOutcomes(outcomePairs(collected, outcomes, tasks)),
    }),
  );
}

function ratedPairs({ sessions, joined }: CollectedSessions, ratings: readonly SessionRating[]): RatedPair[] {
  const scores = new Map(
    [...namedOnce(sessions)].map(([sessionId, { key, session }]) => [key, { sessionId, session }]),
  );
  return ratings.flatMap(({ sessionId: name, rating }) => {
    const one = scores.get(joined.get(name) ?? '');
    if (one === undefined) return [];
    const { taskType, q } = one.session;
    return [{ sessionId: one.sessionId, taskType, q, rating }];
  });
}

function outcomePairs(
  { sessions, joined }: CollectedSessions,
  outcomes: ReadonlyMap<string, number>,
  tasks: ReadonlyMap<string, string>,
): OutcomePair[] {
  const [outcomeOf, taskOf] = [byKey(outcomes, joined), byKey(tasks, joined)];
  const sourceOf = sourcesOf(sessions);
  return [...namedOnce(sessions)].flatMap(([sessionId, one]) => {
    const { key, session } = one;
    const { taskType, q } = session;
    const outcome = outcomeOf.get(key);
    return outcome === undefined
      ? []
      : [{ sessionId, taskType, q, outcome, source: sourceOf(one), task: taskOf.get(key) }];
  });
}

/** What the harness says of a run is held against its Q, and never becomes part of it. */
function againstReport(sessions: readonly CollectedSession[], report: HarnessReport): OutcomeValidation {
  const sourceOf = sourcesOf(sessions);
  const runs = sessions.map((one) => ({
    one,
    sessionId: one.session.sessionId,
    path: one.file.path,
    instance: one.session.instance,
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
    ...(ambiguous > 0 && { 'labels that fit several sessions, or contradict each other': ambiguous }),
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
