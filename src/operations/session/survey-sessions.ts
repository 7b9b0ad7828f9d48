import { looksLike } from '../../session/ingest/files/looks-like.ts';
import { lowOf } from '../../session/low-session.ts';
import { compareModels, frontiersOf } from '../../session/pricing/frontier.ts';
import { roiBy } from '../../session/pricing/roi.ts';
import type { SessionOverview } from '../../session/results.ts';
import { modelOf } from '../../session/session-groups.ts';
import type { SessionScore } from '../../session/session-score.ts';
import type { SessionSummary } from '../../store/store.ts';
import { scoredWith } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { type AskedSessions, type AskRequest, askSessions } from './ask-sessions.ts';
import { countBy } from './count-by.ts';
import type { ListRequest } from './list-sessions.ts';
import { listedRow, withTitles } from './listed-sessions.ts';
import { storedModels, storedRoi } from './stored-roi.ts';
import { storedSummary } from './stored-summary.ts';

export type SurveyRequest = AskRequest & {
  /** So many of those worth a look are shown as lines, and a few of the newest; none without it. */
  readonly shown?: number | undefined;
  /** Say of these what was asked. */
  readonly titles?: ListRequest['titles'];
};

/** As many as remind a person of their last hours. */
const NEWEST_SHOWN = 5;

/** How many sessions, how good, for how much, and which to look at. */
export async function surveySessions(
  request: SurveyRequest,
  ports: Ports,
  also?: (asked: AskedSessions) => Promise<void>,
): Promise<SessionOverview> {
  const start = ports.now().getTime();
  const { timezone } = request;
  const overview = await askSessions(request, ports, async (asked) => {
    const total = await asked.total();
    const each = await asked.each();
    const files = await asked.files();
    const filteredOut = (await asked.store.countSessions()) - total.sessions;
    await also?.(asked);
    return {
      files,
      looked: asked.looked,
      filteredOut,
      ...(timezone !== undefined && { timezone }),
      summary: await storedSummary(asked),
      ...(await linesOf(asked, request, ports)),
      worthALookInAll: total.concerns.some,
      ...(each === undefined ? await fromSums(asked) : fromEach(each)),
      ...(total.sessions === 0 && filteredOut === 0 && strangersIn(files)),
      ...(asked.repositoryTrouble && { repositoryTrouble: asked.repositoryTrouble }),
      sets: setsOf(asked, total.sessions),
    };
  });
  return { ...overview, elapsedMs: ports.now().getTime() - start };
}

/** No session was scored with anything. */
function setsOf({ options }: AskedSessions, sessions: number): SessionOverview['sets'] {
  const { baselineSet: baselines, weights, prices } = scoredWith(options);
  const own = options.weights?.own;
  if (sessions === 0) return { baselines: '', weights: '', prices };
  return { baselines, weights, prices, ...(own && { ownWeights: own }) };
}

/** Enough to see that the folder is the wrong one. */
const STRANGERS_NAMED = 10;

function strangersIn(files: SessionOverview['files']): Pick<SessionOverview, 'strangers'> {
  const strangers = files.slice(0, STRANGERS_NAMED).map(({ path }) => ({ path, looksLike: looksLike(path) }));
  return strangers.length === 0 ? {} : { strangers };
}

type Compared = Pick<SessionOverview, 'sources' | 'byTaskType' | 'models' | 'frontiers'>;

function fromEach(each: readonly SessionScore[]): Compared {
  return {
    sources: countBy(each, ({ source }) => source),
    byTaskType: roiBy(each, ({ taskType }) => taskType),
    models: compareModels(each),
    frontiers: frontiersOf(each, modelOf),
  };
}

async function fromSums(asked: AskedSessions): Promise<Compared> {
  const sources = (await asked.rollup({ by: ['source'] })).map(
    ({ group, sessions }) => [group.source ?? '', sessions] as const,
  );
  return {
    sources: sources.toSorted((a, b) => b[1] - a[1]),
    byTaskType: await storedRoi(asked, 'task-type'),
    ...(await storedModels(asked)),
  };
}

async function linesOf(asked: AskedSessions, { shown, titles }: SurveyRequest, ports: Ports) {
  const limit = shown === undefined ? {} : { limit: shown };
  const worrying = (await asked.list({ order: 'most worrying', ...limit })).toSorted(mostWorrying);
  const newest = shown === undefined ? [] : await asked.list({ order: 'newest', limit: NEWEST_SHOWN });
  const lines = async (rows: readonly SessionSummary[]) => {
    const listed = rows.map((row) => listedRow(row, asked.opinions));
    return titles === undefined ? listed : withTitles(listed, titles.environment, ports);
  };
  const worth =
    shown === undefined ? worrying.map((row) => listedRow(row, asked.opinions)) : await lines(worrying);
  const worthALook = worth.map((one) => ({
    ...lowOf(one.key, one, one.q ?? 0, one.why),
    ...(one.modelRating !== undefined && { modelRating: one.modelRating }),
  }));
  return { worthALook, worthLines: shown === undefined ? [] : worth, newest: await lines(newest) };
}

/** Of equal concern and cost the first by id. */
function mostWorrying(a: SessionSummary, b: SessionSummary): number {
  return (
    (b.concern ?? 0) - (a.concern ?? 0) ||
    (b.costUsd ?? 0) - (a.costUsd ?? 0) ||
    (a.sessionId < b.sessionId ? -1 : 1)
  );
}
