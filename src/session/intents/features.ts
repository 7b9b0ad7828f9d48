/** What a run shows of its kind of work, as named numbers: no word of it, and what the rules say among them. */
import type { AgentRunFacts } from '../evidence.ts';
import { classifyTask } from '../profiles/classify-task.ts';

/** Name → value, 0 to about 2; what is absent is 0. */
export type IntentFeatures = ReadonlyMap<string, number>;

/** Begins the name of what the rules say. */
export const BY_RULES = 'rules say ';

export function featuresOf(run: AgentRunFacts): IntentFeatures {
  const features = new Map<string, number>();
  features.set(`${BY_RULES}${classifyTask(run).taskType}`, 1);
  features.set(`set going by ${run.trigger}`, 1);
  for (const trait of run.requestTraits) features.set(`request: ${trait.replace('-', ' ')}`, 1);
  for (const [kind, calls] of Object.entries(run.toolKinds))
    if (calls > 0) features.set(`tools: ${kind}`, size(calls));
  for (const { artifact, made } of run.artifacts) if (made > 0) features.set(`made: ${artifact}`, 1);
  if (run.changesAttempted > 0) features.set('changes', size(run.changesAttempted));
  features.set('turns', size(run.turns));
  return features;
}

/** The first few count most. */
function size(count: number): number {
  return Math.log1p(count) / 2;
}
