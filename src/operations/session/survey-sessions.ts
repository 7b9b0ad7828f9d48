import { looksLike } from '../../session/ingest/files/looks-like.ts';
import type { SessionOverview } from '../../session/results.ts';
import type { SessionSummary } from '../../store/store.ts';
import { scoredWith } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { type AskedSessions, type AskRequest, askSessions } from './ask-sessions.ts';
import { type ListRequest, listedRow, withTitles } from './list-sessions.ts';
import { modelsOf, roiOfSelected } from './measure-roi.ts';
import { summaryOf } from './summarise-sessions.ts';

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
    const files = await asked.files();
    const filteredOut = (await asked.store.countSessions()) - total.sessions;
    await also?.(asked);
    return {
      files,
      looked: asked.looked,
      filteredOut,
      ...(timezone !== undefined && { timezone }),
      summary: await summaryOf(asked),
      ...(await linesOf(asked, request, ports)),
      worthALookInAll: total.concerns.some,
      sources: await sourcesOf(asked),
      byTaskType: (await roiOfSelected(asked, 'task-type')).groups,
      ...(await modelsOf(asked)),
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

/** The most first. */
async function sourcesOf(asked: AskedSessions): Promise<SessionOverview['sources']> {
  const rollups = await asked.rollup({ by: ['source'] });
  return rollups
    .map(({ group, sessions }) => [group.source ?? '', sessions] as const)
    .toSorted((a, b) => b[1] - a[1]);
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
  const worthALook = worth.map((one) => ({ ...one, q: one.q ?? 0 }));
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
