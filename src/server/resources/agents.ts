import { agents } from '../../api/schema/metrics.ts';
import { listAgents } from '../../operations/session/list-sources.ts';
import { jsonRoute } from '../route.ts';

export const AGENTS = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/agents',
    summary: 'How the agents whose transcripts can be read are called',
    scope: 'read',
    answer: agents,
    handle: async () => ({ agents: listAgents() }),
  }),
];
