import type { SessionNarrowing } from '../../../store/session-narrowing.ts';
import type { Period, SessionQuery } from '../../../store/store.ts';
import type { SessionFilter } from '../session-request.ts';

/** What the store is asked for sessions that fit a filter. */
export function queryOf(
  filter: SessionFilter,
): SessionNarrowing & Period & Pick<SessionQuery, 'coverageFrom'> {
  const { since, until, taskType, agent, model, project, minCoverage } = filter;
  return {
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
    ...(taskType !== undefined && { taskType }),
    ...(agent !== undefined && { agentOrSource: agent }),
    ...(model !== undefined && { modelPart: model }),
    ...(project !== undefined && { projectNamed: project }),
    ...(minCoverage !== undefined && { coverageFrom: minCoverage }),
  };
}
