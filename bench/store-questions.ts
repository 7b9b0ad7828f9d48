/** The queries of the store benchmarks, and their filters. */
import type { Ports } from '../src/operations/ports.ts';
import { digestSessions } from '../src/operations/session/digest-sessions.ts';
import { listRisks } from '../src/operations/session/list-risks.ts';
import { listSessions } from '../src/operations/session/list-sessions.ts';
import { findFrontier, measureRoi } from '../src/operations/session/measure-roi.ts';
import { listAttention } from '../src/operations/session/needs-attention.ts';
import type { SessionRequest } from '../src/operations/session/session-request.ts';
import { surveySessions } from '../src/operations/session/survey-sessions.ts';
import type { Store } from '../src/store/store.ts';
import { END } from './store-sessions.ts';

const DAY_MS = 86_400_000;

export const FILTERS: Readonly<Record<string, NonNullable<SessionRequest['filter']>>> = {
  '': {},
  'since 7d': { since: END - 7 * DAY_MS - 1_234_567 },
  'since 90d': { since: END - 90 * DAY_MS - 1_234_567 },
  'one month': { since: END - 75 * DAY_MS - 1_234_567, until: END - 45 * DAY_MS - 7_654_321 },
  agent: { agent: 'Codex' },
  model: { model: 'opus' },
  'task type': { taskType: 'research' },
  project: { project: 'service-3' },
  'agent, model, since 30d': { agent: 'codex', model: 'gpt', since: END - 30 * DAY_MS - 1_234_567 },
};

type Question = (request: SessionRequest, ports: Ports) => Promise<unknown>;

/** A store at the end of its sessions. */
export function portsOver(store: Store): Ports {
  return {
    store: async () => store,
    now: () => new Date(END),
    newId: () => 'id',
    identity: () => 'bench',
    progress: () => {},
    reportStorageFailure: () => {},
    signal: new AbortController().signal,
  };
}

export const QUESTIONS: Readonly<Record<string, Question>> = {
  overview: (request, ports) => surveySessions(request, ports),
  'roi by model': (request, ports) => measureRoi({ ...request, by: 'model' }, ports),
  'roi by agent': (request, ports) => measureRoi({ ...request, by: 'agent' }, ports),
  'roi by day': (request, ports) => measureRoi({ ...request, by: 'day' }, ports),
  'roi by project': (request, ports) => measureRoi({ ...request, by: 'project' }, ports),
  'roi by week': (request, ports) => measureRoi({ ...request, by: 'week' }, ports),
  frontier: (request, ports) => findFrontier({ ...request, by: 'model' }, ports),
  'frontier by agent': (request, ports) => findFrontier({ ...request, by: 'agent' }, ports),
  'needs attention': (request, ports) => listAttention({ ...request, withUnread: false }, ports),
  'risky actions': (request, ports) => listRisks({ ...request, limit: 20 }, ports),
  'digest of a week': (request, ports) =>
    digestSessions({ ...request, days: 7, until: END - 4_321_000 }, ports),
  'list newest': (request, ports) => listSessions({ ...request, sort: 'date', limit: 20 }, ports),
  'list lowest Q': (request, ports) => listSessions({ ...request, sort: 'q', limit: 20 }, ports),
  'list costliest': (request, ports) => listSessions({ ...request, sort: 'cost', limit: 20 }, ports),
  'list longest': (request, ports) => listSessions({ ...request, sort: 'turns', limit: 20 }, ports),
  'totals by project': (request, ports) =>
    listSessions({ ...request, sort: 'date', by: 'project', limit: 0 }, ports),
  'totals by agent': (request, ports) =>
    listSessions({ ...request, sort: 'date', by: 'agent', limit: 0 }, ports),
  'totals by day': (request, ports) => listSessions({ ...request, sort: 'date', by: 'day', limit: 0 }, ports),
};
