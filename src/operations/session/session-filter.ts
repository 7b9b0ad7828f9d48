import { isNamedProject } from '../../named-project.ts';
import type { SessionFacts } from '../../session/evidence.ts';
import type { ScoredSession } from '../../session/score-session.ts';
import type { SessionFilter } from './session-request.ts';

/** Whether a scored session is one of those that were asked for. */
export function filterOf(
  filter: SessionFilter = {},
): (session: ScoredSession, facts: SessionFacts) => boolean {
  const { since, until, taskType, minCoverage, project } = filter;
  const [agent, model] = [filter.agent, filter.model].map((name) => name?.toLowerCase());
  return (session, facts) =>
    (since === undefined || (session.startedAt !== undefined && session.startedAt >= since)) &&
    (until === undefined || (session.startedAt !== undefined && session.startedAt < until)) &&
    (minCoverage === undefined || session.coverage >= minCoverage) &&
    (agent === undefined || [session.agent, session.source].some((name) => name?.toLowerCase() === agent)) &&
    (model === undefined || session.models.some((name) => name.toLowerCase().includes(model))) &&
    (project === undefined || isNamedProject(facts.project, project)) &&
    (taskType === undefined || session.taskType === taskType);
}
