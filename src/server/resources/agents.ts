import { agents } from '../../api/schema/agents.ts';
import { encoded } from '../../api/wire.ts';
import { listAgents } from '../../operations/session/list-agents.ts';
import { jsonRoute } from '../route.ts';

export const AGENTS = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/agents',
    summary: 'How the agents whose transcripts can be read are called',
    scope: 'read',
    answer: encoded(agents),
    handle: async () => ({
      format: 'assay-agents' as const,
      version: 1 as const,
      agents: [...listAgents()],
    }),
  }),
];
