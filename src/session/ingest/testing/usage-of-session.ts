import type { Usage } from '../../event.ts';
import type { SessionFacts } from '../../evidence.ts';

/** Tokens of all runs of a session together. */
export function usageOfSession(facts: SessionFacts | undefined): Usage {
  const usages = (facts?.runs ?? []).flatMap(({ models }) => models).map(({ usage }) => usage);
  const sum = (name: keyof Usage) => usages.reduce((all, usage) => all + usage[name], 0);
  return {
    input: sum('input'),
    output: sum('output'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
  };
}
