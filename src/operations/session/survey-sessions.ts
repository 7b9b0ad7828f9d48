import { looksLike } from '../../session/ingest/files/looks-like.ts';
import { mostWorrying, worthALook } from '../../session/low-session.ts';
import { repositoryTrouble } from '../../session/outcomes/work-outcome.ts';
import { compareModels, frontiersOf } from '../../session/pricing/frontier.ts';
import { roiBy } from '../../session/pricing/roi.ts';
import type { SessionOverview } from '../../session/results.ts';
import { modelOf } from '../../session/session-groups.ts';
import { Shortener } from '../../session/session-score.ts';
import { summarise } from '../../session/summary.ts';
import type { Ports } from '../ports.ts';
import { type CollectedSession, collectSessions } from './collect-sessions.ts';
import { countBy } from './count-by.ts';
import type { ListRequest } from './list-sessions.ts';
import { listedSession, withRating, withTitles } from './listed-sessions.ts';
import type { FullSession, ScoreSessionsRequest } from './score-sessions.ts';
import { storedOverview } from './stored/stored-overview.ts';
import { answerStored, knowsConcerns } from './stored/stored-scores.ts';

export type SurveyRequest = ScoreSessionsRequest & {
  /** So many of those worth a look are shown as lines, and a few of the newest; none without it. */
  readonly shown?: number | undefined;
  /** Say of these what was asked. */
  readonly titles?: ListRequest['titles'];
};

/** As many as remind a person of their last hours. */
const NEWEST_SHOWN = 5;

/** How many sessions, how good, for how much, and which to look at; each is handed out when it is scored. */
export async function surveySessions(
  request: SurveyRequest,
  ports: Ports,
  each?: (one: FullSession) => void | Promise<void>,
): Promise<SessionOverview> {
  const start = ports.now().getTime();
  const overview =
    each === undefined
      ? await answerStored(request, ports, async (stored) =>
          knowsConcerns(await stored.total())
            ? storedOverview(stored, { ...request, newest: NEWEST_SHOWN }, ports)
            : undefined,
        )
      : undefined;
  const zone = request.timezone === undefined ? {} : { timezone: request.timezone };
  if (overview !== undefined) return { ...overview, ...zone, elapsedMs: ports.now().getTime() - start };
  return collectSessions(
    request,
    ports,
    async ({ sessions: collected, options, joined: _joined, opinions: _opinions, detailsOf, ...scoring }) => {
      const sessions = collected.map(({ session }) => session);
      const [first] = sessions;
      return {
        ...scoring,
        ...zone,
        summary: summarise(sessions),
        sources: countBy(sessions, ({ source }) => source),
        worthALook: worthALook(collected),
        ...(await linesOf(collected, detailsOf, request, ports)),
        byTaskType: roiBy(sessions, ({ taskType }) => taskType),
        models: compareModels(sessions),
        frontiers: frontiersOf(sessions, modelOf),
        ...(sessions.length === 0 && scoring.filteredOut === 0 && strangersIn(scoring.files)),
        ...repositoryTrouble(options.work),
        sets: {
          baselines: options.baselines?.name ?? first?.baselineSet ?? '',
          weights: first?.weights ?? '',
          ...(options.weights?.own && { ownWeights: options.weights.own }),
          prices: options.prices?.name ?? 'none',
        },
      };
    },
    { each },
  );
}

/** Enough to see that the folder is the wrong one. */
const STRANGERS_NAMED = 10;

function strangersIn(files: SessionOverview['files']): Pick<SessionOverview, 'strangers'> {
  const strangers = files.slice(0, STRANGERS_NAMED).map(({ path }) => ({ path, looksLike: looksLike(path) }));
  return strangers.length === 0 ? {} : { strangers };
}

/** Details are had again for the few that are shown. */
async function linesOf(
  collected: readonly CollectedSession[],
  detailsOf: (one: CollectedSession) => FullSession,
  { shown = 0, titles }: SurveyRequest,
  ports: Ports,
): Promise<Pick<SessionOverview, 'worthLines' | 'newest'>> {
  const short = new Shortener();
  const lines = async (some: readonly CollectedSession[]) => {
    const listed = some.map((one) => withRating(listedSession(detailsOf(one), short), one.session));
    return titles === undefined ? listed : withTitles(listed, titles.environment, ports);
  };
  const newest = collected
    .toSorted((a, b) => (b.session.startedAt ?? 0) - (a.session.startedAt ?? 0))
    .slice(0, shown === 0 ? 0 : NEWEST_SHOWN);
  return { worthLines: await lines(mostWorrying(collected).slice(0, shown)), newest: await lines(newest) };
}
