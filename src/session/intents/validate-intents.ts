/**
 * How often rules and a model find what people said, on sessions that the model has not seen: whole sources (a project, a
 * file of many runs) are left out in turns, because sessions of one source are alike.
 */
import type { Interval } from '../../stats/interval.ts';
import { mcnemar } from '../../stats/mcnemar.ts';
import { wilson } from '../../stats/wilson.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { fitIntents, type LabelledRun } from './fit-intents.ts';
import { intentOfFeatures } from './intent-model.ts';

export type LabelledSource = LabelledRun & { readonly source: string; readonly byRules: TaskType };

export type Hits = {
  readonly right: number;
  readonly n: number;
  readonly share: number;
  readonly interval?: Interval;
};

export type IntentValidation = {
  readonly n: number;
  readonly sources: number;
  readonly rules: Hits;
  /** Where the model is sure, it decides; elsewhere the rules do. */
  readonly model: Hits;
  /** How often it is sure. */
  readonly sure: number;
  readonly p: number;
  /** Given → found by the model → how many. */
  readonly confusion: readonly { readonly given: TaskType; readonly found: TaskType; readonly n: number }[];
  readonly verdict: 'take the model' | 'keep the rules' | 'too few to tell';
};

/** Less sure than this, and the rules decide. */
export const SURE = 0.6;
const LEAST_LABELS = 30;
const MOST_PARTS = 10;
const LEVEL = 0.05;

export function validateIntents(labelled: readonly LabelledSource[]): IntentValidation {
  const sources = [...Map.groupBy(labelled, ({ source }) => source)].sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = Math.min(MOST_PARTS, sources.length);
  const judged = Array.from({ length: parts }, (_, part) => {
    const own = sources.filter((_, i) => i % parts === part).flatMap(([, some]) => some);
    const others = sources.filter((_, i) => i % parts !== part).flatMap(([, some]) => some);
    const weights = fitIntents(others);
    return own.map((one) => {
      const { taskType, probability } = intentOfFeatures({ weights }, one.features);
      const isSure = probability >= SURE;
      return { given: one.taskType, byRules: one.byRules, found: isSure ? taskType : one.byRules, isSure };
    });
  }).flat();
  const n = judged.length;
  const better = judged.filter(({ given, byRules, found }) => found === given && byRules !== given).length;
  const worse = judged.filter(({ given, byRules, found }) => found !== given && byRules === given).length;
  const p = mcnemar(better, worse);
  const isEnough = n >= LEAST_LABELS && sources.length >= 2;
  return {
    n,
    sources: sources.length,
    rules: hits(judged.filter(({ given, byRules }) => given === byRules).length, n),
    model: hits(judged.filter(({ given, found }) => given === found).length, n),
    sure: n === 0 ? 0 : judged.filter(({ isSure }) => isSure).length / n,
    p,
    confusion: TASK_TYPES.flatMap((given) =>
      TASK_TYPES.map((found) => ({
        given,
        found,
        n: judged.filter((one) => one.given === given && one.found === found).length,
      })),
    ).filter((cell) => cell.n > 0),
    verdict: !isEnough
      ? 'too few to tell'
      : better > worse && p < LEVEL
        ? 'take the model'
        : 'keep the rules',
  };
}

function hits(right: number, n: number): Hits {
  const interval = wilson(right, n);
  return { right, n, share: n === 0 ? 0 : right / n, ...(interval && { interval }) };
}
