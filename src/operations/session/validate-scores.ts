import { basename } from 'node:path';
import { MIN_PER_SOURCE } from '../../session/calibration/folds.ts';
import { explainNoMatch, joinLabels } from '../../session/calibration/harness/join-labels.ts';
import { type HarnessReport, readReport } from '../../session/calibration/harness/read-report.ts';
import {
  readLabelNames,
  readOutcomes,
  readRatings,
  readTasks,
  type SessionRating,
} from '../../session/calibration/labels.ts';
import type { SuccessReport } from '../../session/calibration/success-report.ts';
import {
  type OutcomePair,
  type OutcomeValidation,
  validateOutcomes,
} from '../../session/calibration/validate-outcomes.ts';
import {
  type RatedPair,
  type RatingValidation,
  validateRatings,
} from '../../session/calibration/validate-ratings.ts';
import { isModelAuthor } from '../../session/model-judge/model-opinion.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type { Rating, SessionSummary, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { askSessions, chancesIn, type QueriedSessions, type ReadReport } from './ask-sessions.ts';
import { byKey, byUniqueName, type LabelFile, withoutOutcomes } from './match-labels.ts';
import type { SessionRequest } from './session-request.ts';
import { caseOf } from './success-chances.ts';

export type StoredValidation = {
  readonly validation: RatingValidation;
  readonly points: readonly RatedPoint[];
  /** Ratings of sessions that are not stored here, or with an ambiguous name. */
  readonly unjoined: number;
  /** The accuracy of P(success) on all sessions with a known outcome. */
  readonly success: SuccessReport;
};

/** A rated session: its Q and its rating. */
export type RatedPoint = {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q: number;
  /** Mean of each rater's last rating. */
  readonly rating: number;
  readonly raters: number;
};

export type Validation = ReadReport &
  (
    | ({ readonly against: 'ratings' } & RatingValidation)
    | ({ readonly against: 'outcomes' } & OutcomeValidation)
  );

export type ValidateRequest = SessionRequest & {
  readonly labels: LabelFile;
  /** The half-width of the interval of r to aim for. */
  readonly precision?: number | undefined;
};

/** Compares Q with ratings or outcomes. */
export function validateScores(request: ValidateRequest, ports: Ports): Promise<Validation> {
  const { labels, precision } = request;
  const given = withoutOutcomes(request);
  if ('ratings' in labels) {
    const ratings = readRatings(labels.ratings);
    const labelled = readLabelNames(labels.ratings, 'rating');
    return askSessions({ ...given, labelled }, ports, async (asked) => ({
      against: 'ratings' as const,
      ...validateRatings(await ratedPairs(asked, ratings), { precision }),
    }));
  }
  if ('report' in labels) {
    const { report } = labels;
    return askSessions(given, ports, async (asked) => ({
      against: 'outcomes' as const,
      ...againstReport(await asked.summaries(), await readReport(report)),
    }));
  }
  const [outcomes, tasks] = [readOutcomes(labels.outcomes), readTasks(labels.outcomes)];
  return askSessions(
    { ...given, labelled: readLabelNames(labels.outcomes, 'outcome') },
    ports,
    async (asked) => ({
      against: 'outcomes' as const,
      ...validateOutcomes(await outcomePairs(asked, outcomes, tasks)),
    }),
  );
}

async function ratedPairs(asked: QueriedSessions, ratings: readonly SessionRating[]): Promise<RatedPair[]> {
  const scores = new Map(
    [...byUniqueName(await asked.summaries())].map(([sessionId, row]) => [
      row.sessionKey,
      { sessionId, row },
    ]),
  );
  return ratings.flatMap(({ sessionId: name, rating }) => {
    const one = scores.get(asked.joined.get(name) ?? '');
    if (one === undefined) return [];
    const { taskType, q } = one.row;
    return [{ sessionId: one.sessionId, taskType, q, rating }];
  });
}

async function outcomePairs(
  asked: QueriedSessions,
  outcomes: ReadonlyMap<string, number>,
  tasks: ReadonlyMap<string, string>,
): Promise<OutcomePair[]> {
  const sessions = await asked.summaries();
  const [outcomeOf, taskOf] = [byKey(outcomes, asked.joined), byKey(tasks, asked.joined)];
  const sourceOf = sourcesOf(sessions);
  return [...byUniqueName(sessions)].flatMap(([sessionId, row]) => {
    const outcome = outcomeOf.get(row.sessionKey);
    const task = taskOf.get(row.sessionKey);
    return outcome === undefined
      ? []
      : [{ ...outcomePair(row, outcome), sessionId, source: sourceOf(row), task }];
  });
}

/** Q of a verified session includes its result, which may be the outcome. */
function outcomePair(row: SessionSummary, outcome: number): OutcomePair {
  const { sessionKey: sessionId, taskType, verifyResult, transcriptQ } = row;
  const q = verifyResult === undefined ? row.q : (transcriptQ ?? row.q);
  return { sessionId, taskType, q, outcome, about: caseOf(row) };
}

/** The result in the harness report is compared with Q, and never becomes part of it. */
function againstReport(sessions: readonly SessionSummary[], report: HarnessReport): OutcomeValidation {
  const sourceOf = sourcesOf(sessions);
  const runs = sessions.map((row) => ({
    row,
    sessionId: row.sessionId,
    path: row.path ?? '',
    instance: row.instance,
    startedAt: row.startedAt === undefined ? undefined : Date.parse(row.startedAt),
  }));
  const { joined, unmatched, ambiguous } = joinLabels(report.labels, runs);
  if (joined.length === 0) throw explainNoMatch(report.labels, runs, ambiguous);
  const validation = validateOutcomes(
    joined.map(({ session: { row }, outcome, task }) => ({
      ...outcomePair(row, outcome),
      source: sourceOf(row),
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

/** Groups of similar sessions: a file with many runs, else one agent with one model. */
function sourcesOf(sessions: readonly SessionSummary[]): (one: SessionSummary) => string {
  const perFile = new Map<string, number>();
  for (const { path = '' } of sessions) perFile.set(path, (perFile.get(path) ?? 0) + 1);
  const named = Map.groupBy(perFile.keys(), (path) => basename(path));
  const nameOf = (path: string) => (named.get(basename(path))?.length === 1 ? basename(path) : path);
  return ({ agent, source, model, path = '' }) =>
    (perFile.get(path) ?? 0) >= MIN_PER_SOURCE
      ? nameOf(path)
      : [agent ?? source, model].filter(Boolean).join(' ');
}

/** Compares Q of stored sessions with the ratings from the dashboard. */
export async function validateStored(ports: Ports): Promise<StoredValidation> {
  const store = await ports.store('looking');
  const said = (await store.readRatings({ kind: 'session', latest: true })).filter(
    ({ author }) => !isModelAuthor(author),
  );
  const pairs: (RatedPair & { readonly key: string })[] = [];
  const points: RatedPoint[] = [];
  let unjoined = 0;
  for (const [subject, ratings] of Map.groupBy(said, ({ subjectId }) => subjectId)) {
    const row = await sessionNamed(store, subject);
    if (row === undefined) unjoined += ratings.length;
    else {
      pairs.push(...pairsOf(row, ratings));
      if (row.q !== undefined) points.push(pointOf(row, row.q, ratings));
    }
  }
  const success = (await chancesIn(store, ports)).report();
  return { validation: validateRatings(pairs, {}), points, unjoined, success };
}

async function sessionNamed(store: Store, name: string): Promise<SessionSummary | undefined> {
  const named = (await store.listSessions({ sessionId: name, limit: 2 })).filter(
    ({ sessionId }) => sessionId === name,
  );
  return named.length === 1 ? named[0] : await store.readSession(name);
}

function pairsOf(row: SessionSummary, ratings: readonly Rating[]) {
  const { sessionKey, taskType, q } = row;
  // Written by the scorer.
  return ratings.map(({ rating }) => ({
    key: sessionKey,
    sessionId: sessionKey,
    taskType: taskType as TaskType,
    q,
    rating,
  }));
}

function pointOf(row: SessionSummary, q: number, ratings: readonly Rating[]): RatedPoint {
  const { sessionKey, sessionId, taskType } = row;
  const rating = ratings.reduce((sum, one) => sum + one.rating, 0) / ratings.length;
  return { sessionKey, sessionId, taskType: taskType as TaskType, q, rating, raters: ratings.length };
}
