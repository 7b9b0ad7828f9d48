/**
 * The kind of work by what people said of sessions like it: a softmax over named features whose weights can be read. It
 * begins as the rules, and labels move it away from them: where they say little, it says what the rules say.
 */
import type { AgentRunFacts } from '../evidence.ts';
import {
  type Classified,
  type ClassifyOptions,
  classifyTask,
  declaredTaskType,
} from '../profiles/classify-task.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';

/** Less sure than this, and the rules decide. */
export const SURE = 0.6;

export type IntentModel = {
  /** Tells from which labels it was made. */
  readonly name: string;
  /** Kind of work → feature → weight. What is absent is 0, except for what the rules say. */
  readonly weights: Readonly<Record<TaskType, Readonly<Record<string, number>>>>;
};

type Intent = {
  readonly taskType: TaskType;
  readonly probability: number;
  /** What spoke for it against the next likely one, the most first. */
  readonly because: readonly string[];
};

/** As sure as the rules are taken to be before any label: about nine of ten. */
const TRUST_IN_RULES = 4;

/** Where nothing is said of a weight. */
export function usualWeight(taskType: TaskType, feature: string): number {
  return feature === `${BY_RULES}${taskType}` ? TRUST_IN_RULES : 0;
}

export function intentOf(model: IntentModel, run: AgentRunFacts): Intent {
  return intentOfFeatures(model, featuresOf(run));
}

const MOST_REASONS = 3;

export function intentOfFeatures(
  { weights }: Pick<IntentModel, 'weights'>,
  features: IntentFeatures,
): Intent {
  const weightOf = (taskType: TaskType, feature: string) =>
    weights[taskType][feature] ?? usualWeight(taskType, feature);
  const scores = TASK_TYPES.map((taskType) => {
    let sum = 0;
    for (const [feature, value] of features) sum += value * weightOf(taskType, feature);
    return { taskType, sum };
  }).sort((a, b) => b.sum - a.sum);
  const [first, second] = scores as [(typeof scores)[0], (typeof scores)[0], ...typeof scores];
  const all = scores.reduce((sum, one) => sum + Math.exp(one.sum - first.sum), 0);
  const because = [...features]
    .map(([feature, value]) => ({
      feature,
      gain: value * (weightOf(first.taskType, feature) - weightOf(second.taskType, feature)),
    }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MOST_REASONS)
    .map(({ feature }) => feature);
  return { taskType: first.taskType, probability: 1 / all, because };
}

// What a run shows of its kind of work, as named numbers: no word of it, and what the rules say among them.

/** Name → value, 0 to about 2; what is absent is 0. */
export type IntentFeatures = ReadonlyMap<string, number>;

/** Begins the name of what the rules say. */
const BY_RULES = 'rules say ';

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

/** What was learnt, where it is sure; what a person or the source says goes before it, and the rules come after. */
export function classifyWith(model: IntentModel, run: AgentRunFacts, known: ClassifyOptions): Classified {
  const isKnown = known.override !== undefined || declaredTaskType(known.declared) !== undefined;
  if (isKnown) return classifyTask(run, known);
  const { taskType, probability, because } = intentOf(model, run);
  if (probability < SURE) return classifyTask(run);
  const why = because.length === 0 ? '' : `: ${because.join(', ')}`;
  return { taskType, reason: `learnt from your labels (${Math.floor(probability * 100)}%)${why}` };
}
