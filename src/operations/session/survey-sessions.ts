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
import { countBy } from './count-by.ts';
import type { FullSession, ScoreSessionsRequest } from './score-sessions.ts';
import { storedOverview } from './stored/stored-overview.ts';
import { knowsConcerns, openStoredScores } from './stored/stored-scores.ts';

export type SurveyRequest = ScoreSessionsRequest & {
  /** So many of those worth a look are given where they come from a store; all of them without it. */
  readonly most?: number | undefined;
};

/** How many sessions, how good, for how much, and which to look at; each is handed out when it is scored. */
export async function surveySessions(
  request: SurveyRequest,
  ports: Ports,
  each?: (one: FullSession) => void | Promise<void>,
): Promise<SessionOverview> {
  const start = ports.now().getTime();
  const stored = each === undefined ? await openStoredScores(request, ports) : undefined;
  if (stored !== undefined && knowsConcerns(stored.total)) {
    const overview = await storedOverview(stored, request.most);
    return { ...overview, elapsedMs: ports.now().getTime() - start };
  }
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
