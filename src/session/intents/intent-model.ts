/**
 * The task type, learned from labels: a softmax over named features with readable weights. It starts as the rules, and
 * labels move it away from them; without labels it equals the rules.
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
  /** Task type → feature → weight. Default 0, except for the features of the rules. */
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

/** The default of a weight. */
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

// Features of a run for its task type, as named numbers: no words of it; the rules' answer is one of them.

/** Name → value, 0 to about 2; default 0. */
export type IntentFeatures = ReadonlyMap<string, number>;

/** Prefix of the feature for the rules' answer. */
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

/**
 * The model's answer, where it is confident; a label or the source takes precedence, and the rules are the fallback.
 */
export function classifyWith(model: IntentModel, run: AgentRunFacts, known: ClassifyOptions): Classified {
  const isKnown = known.override !== undefined || declaredTaskType(known.declared) !== undefined;
  if (isKnown) return classifyTask(run, known);
  const { taskType, probability, because } = intentOf(model, run);
  if (probability < SURE) return classifyTask(run);
  const why = because.length === 0 ? '' : `: ${because.join(', ')}`;
  return { taskType, reason: `learnt from your labels (${Math.floor(probability * 100)}%)${why}` };
}
