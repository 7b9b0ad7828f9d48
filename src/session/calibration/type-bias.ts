/** Does Q favour some task types over others, compared with what people say? */
import { bootstrapMean } from '../../stats/bootstrap-mean.ts';
import { holm } from '../../stats/holm.ts';
import type { Interval } from '../../stats/interval.ts';
import { mean } from '../../stats/mean.ts';
import { sampleSd } from '../../stats/sample-sd.ts';
import { signFlip } from '../../stats/sign-flip.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';

export type TypeBias = {
  readonly taskType: TaskType;
  readonly n: number;
  /** Mean of (standardised Q − standardised rating): above 0, Q is kinder to this type than people are. */
  readonly value: number;
  readonly interval?: Interval;
  /** Sign-flip test, corrected by Holm over the types. */
  readonly p?: number;
  readonly verdict: 'overvalued' | 'undervalued' | 'no bias shown' | 'too few to tell';
  readonly because: string;
};

type Rated = { readonly taskType: TaskType; readonly q: number; readonly rating: number };

/** Fewer sessions of a type than this, and nothing is said about it. */
const MIN_PER_TYPE = 4;

/** Empty with a single task type: there is nothing to be biased against. */
export function biasOf(sessions: readonly Rated[], seed: number): TypeBias[] {
  const types = TASK_TYPES.filter((type) => sessions.some((one) => one.taskType === type));
  const qs = standardised(sessions.map((one) => one.q));
  const ratings = standardised(sessions.map((one) => one.rating));
  if (types.length < 2 || qs === undefined || ratings === undefined) return [];
  const gaps = sessions.map((_, i) => (qs[i] as number) - (ratings[i] as number));
  const perType = types.map((taskType) => ({
    taskType,
    gaps: gaps.filter((_, i) => sessions[i]?.taskType === taskType),
  }));
  const tested = perType.filter((one) => one.gaps.length >= MIN_PER_TYPE);
  const corrected = holm(tested.map((one) => signFlip(one.gaps, { seed })?.p ?? 1));
  return perType.map((one) => judge(one.taskType, one.gaps, corrected[tested.indexOf(one)], seed));
}

function judge(taskType: TaskType, gaps: readonly number[], p: number | undefined, seed: number): TypeBias {
  const n = gaps.length;
  const facts = { taskType, n, value: mean(gaps) ?? 0 };
  if (p === undefined) {
    return {
      ...facts,
      verdict: 'too few to tell',
      because: `${n} rated sessions, ${MIN_PER_TYPE} are the least`,
    };
  }
  const interval = bootstrapMean(gaps, { seed })?.interval;
  const known = { ...facts, p, ...(interval !== undefined && { interval }) };
  const excludes = interval !== undefined && (interval.low > 0 || interval.high < 0);
  if (!excludes) return { ...known, verdict: 'no bias shown', because: 'its interval contains 0' };
  if (p >= 0.05) {
    return { ...known, verdict: 'no bias shown', because: `p = ${p.toFixed(3)} after Holm's correction` };
  }
  return facts.value > 0
    ? { ...known, verdict: 'overvalued', because: 'Q is kinder to it than people are' }
    : { ...known, verdict: 'undervalued', because: 'Q is harder on it than people are' };
}

function standardised(values: readonly number[]): number[] | undefined {
  const [centre, spread] = [mean(values), sampleSd(values)];
  if (centre === undefined || spread === undefined || !(spread > 1e-12)) return undefined;
  return values.map((value) => (value - centre) / spread);
}
