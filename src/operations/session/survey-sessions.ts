import { worthALook } from '../../session/low-session.ts';
import { repositoryTrouble } from '../../session/outcomes/repository-trouble.ts';
import { compareModels } from '../../session/pricing/compare-models.ts';
import { roiBy } from '../../session/pricing/roi.ts';
import { frontiersOf } from '../../session/pricing/type-frontier.ts';
import type { SessionOverview } from '../../session/results.ts';
import { modelOf } from '../../session/session-groups.ts';
import { summarise } from '../../session/summary.ts';
import type { Ports } from '../ports.ts';
import { collectSessions } from './collect-sessions.ts';
import type { FullSession, ScoreSessionsRequest } from './score-sessions.ts';

/** How many sessions, how good, for how much, and which to look at; each is handed out when it is scored. */
export function surveySessions(
  request: ScoreSessionsRequest,
  ports: Ports,
  each?: (one: FullSession) => void | Promise<void>,
): Promise<SessionOverview> {
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
        worthALook: worthALook(collected),
        byTaskType: roiBy(sessions, ({ taskType }) => taskType),
        models: compareModels(sessions),
        frontiers: frontiersOf(sessions, modelOf),
        ...repositoryTrouble(options.work),
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

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
