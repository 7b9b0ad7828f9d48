import type { Usage } from '../../event.ts';
import type { SessionFacts } from '../../evidence.ts';
import { addUsage } from '../../usage.ts';

/** Tokens of all runs of a session together. */
export function usageOfSession(facts: SessionFacts | undefined): Usage {
  return (facts?.runs ?? [])
    .flatMap(({ models }) => models)
    .map(({ usage }) => usage)
    .reduce(addUsage, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
}
