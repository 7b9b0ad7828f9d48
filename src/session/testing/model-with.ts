import type { AgentRunFacts } from '../evidence.ts';

/** One model with the given usage; the rest as if every message had carried it. */
export function modelWith(
  usage: Partial<AgentRunFacts['models'][number]['usage']>,
  rest: Partial<Omit<AgentRunFacts['models'][number], 'usage'>> = {},
): AgentRunFacts['models'][number] {
  return {
    model: 'example-model',
    messages: 1,
    messagesWithoutUsage: 0,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...usage },
    ...rest,
  };
}
