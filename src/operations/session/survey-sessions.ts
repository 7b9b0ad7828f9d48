import { lowSessions } from '../../session/low-session.ts';
import { compareModels } from '../../session/pricing/compare-models.ts';
import { roiBy } from '../../session/pricing/roi.ts';
import { frontiersOf } from '../../session/pricing/type-frontier.ts';
import type { SessionOverview } from '../../session/results.ts';
import { modelOf } from '../../session/session-groups.ts';
import { summarise } from '../../session/summary.ts';
import type { Ports } from '../ports.ts';
import { collectSessions, WORTH_A_LOOK } from './collect-sessions.ts';
import type { FullSession, ScoreSessionsRequest } from './score-sessions.ts';
import { storedLowSessions } from './stored/stored-low-sessions.ts';
import { storedModels, storedRoiByType } from './stored/stored-roi.ts';
import { openStoredScores, type StoredScores, usualScoring } from './stored/stored-scores.ts';
import { storedSummary } from './stored/stored-summary.ts';

/** How many sessions, how good, for how much, and which to look at; each is handed out when it is scored. */
export async function surveySessions(
  request: ScoreSessionsRequest,
  ports: Ports,
  each?: (one: FullSession) => void | Promise<void>,
): Promise<SessionOverview> {
  const stored = each === undefined ? await openStoredScores(request, ports) : undefined;
  if (stored !== undefined) return surveyStored(stored, ports);
  return collectSessions(
    request,
    ports,
    ({ sessions: collected, options, detailsOf: _, ...scoring }) => {
      const sessions = collected.map(({ session }) => session);
      const [first] = sessions;
      return {
        ...scoring,
        summary: summarise(sessions),
        sources: countBy(sessions, ({ source }) => source),
        worthALook: lowSessions(collected, WORTH_A_LOOK),
        byTaskType: roiBy(sessions, ({ taskType }) => taskType),
        models: compareModels(sessions),
        frontiers: frontiersOf(sessions, modelOf),
        sets: {
          baselines: options.baselines?.name ?? first?.baselineSet ?? '',
          weights: first?.weights ?? '',
          prices: options.prices?.name ?? 'none',
        },
      };
    },
    { each },
  );
}

/** As many as a terminal shows. */
const SHOWN = 10;

async function surveyStored(stored: StoredScores, ports: Ports): Promise<SessionOverview> {
  const start = ports.now().getTime();
  const { baselineSet, weights, prices } = usualScoring();
  const bySource = await stored.rollup({ by: ['source'] });
  const { lowest } = await storedLowSessions(stored, WORTH_A_LOOK, { most: SHOWN });
  return {
    files: [],
    looked: { in: 'store', address: stored.store.address },
    filteredOut: 0,
    withSkippedLines: await stored.count({ withSkippedLines: true }),
    summary: await storedSummary(stored),
    sources: bySource
      .map(({ group, sessions }) => [group.source ?? '', sessions] as const)
      .toSorted((a, b) => b[1] - a[1]),
    worthALook: lowest,
    byTaskType: await storedRoiByType(stored),
    ...(await storedModels(stored)),
    sets: { baselines: baselineSet, weights, prices },
    unreadable: [],
    elapsedMs: ports.now().getTime() - start,
  };
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
