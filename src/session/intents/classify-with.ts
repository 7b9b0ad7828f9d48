import type { AgentRunFacts } from '../evidence.ts';
import {
  type Classified,
  type ClassifyOptions,
  classifyTask,
  declaredTaskType,
} from '../profiles/classify-task.ts';
import { type IntentModel, intentOf } from './intent-model.ts';
import { SURE } from './validate-intents.ts';

/** What was learnt, where it is sure; what a person or the source says goes before it, and the rules come after. */
export function classifyWith(model: IntentModel, run: AgentRunFacts, known: ClassifyOptions): Classified {
  const isKnown = known.override !== undefined || declaredTaskType(known.declared) !== undefined;
  if (isKnown) return classifyTask(run, known);
  const { taskType, probability, because } = intentOf(model, run);
  if (probability < SURE) return classifyTask(run);
  const why = because.length === 0 ? '' : `: ${because.join(', ')}`;
  return { taskType, reason: `learnt from your labels (${Math.floor(probability * 100)}%)${why}` };
}
