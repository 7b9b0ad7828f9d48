/** Agents as people call them: `claude-code` is Claude Code. Until the server has said so, an id is its own name. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { z } from 'zod';
import type { agents } from '../../../src/api/schema/agents.ts';
import { useResource } from './use-resource.ts';

const names = signal<ReadonlyMap<string, string>>(new Map());

export function agentName(agent: string): string {
  return names.value.get(agent) ?? agent;
}

/** Once, around all pages. */
export function AgentNames(): null {
  const { data } = useResource<z.infer<typeof agents>>('agents');
  useEffect(() => {
    if (data !== undefined) names.value = new Map(data.agents.map(({ agent, name }) => [agent, name]));
  }, [data]);
  return null;
}
