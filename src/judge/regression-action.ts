import type { ChangeSize, ComparePolicy, Comparison } from './compare.ts';

type Named = { readonly id: string; readonly title: string };

/** What keeps a comparison from being judged by its changes alone. */
export type Obstacles = {
  /** Gated metrics that were not in the fail zone before. */
  readonly entersFail: readonly string[];
  readonly gaps: readonly string[];
};

/** What to do about a comparison, and because of what; metrics by their titles. */
export type RegressionAction =
  | { readonly do: 'nothing'; readonly because: 'not measured alike' | 'no value on both sides' }
  | { readonly do: 'block'; readonly because: 'cases not measured'; readonly cases: number }
  | { readonly do: 'block'; readonly because: 'entered fail' | 'fell'; readonly metrics: readonly string[] }
  | {
      readonly do: 'investigate';
      readonly because: 'fell a little' | 'fell beside the gate';
      readonly metrics: readonly string[];
    }
  | { readonly do: 'proceed'; readonly because: 'nothing fell' | 'approved' };

export function regressionAction(
  metrics: readonly Named[],
  comparison: Comparison,
  { blocking }: ComparePolicy,
  { entersFail, gaps }: Obstacles,
): RegressionAction {
  if (comparison.differences.length > 0 && !comparison.insisted) {
    return { do: 'nothing', because: 'not measured alike' };
  }
  if (gaps.length > 0) return { do: 'block', because: 'cases not measured', cases: gaps.length };
  if (entersFail.length > 0) return { do: 'block', because: 'entered fail', metrics: entersFail };
  const answered = new Set(comparison.approvals.map(({ metric }) => metric));
  const moved = (gated: boolean, ...sizes: ChangeSize[]) =>
    metrics.filter(({ id }) => {
      const size = comparison.changes[id]?.size;
      return blocking.includes(id) === gated && size !== undefined && sizes.includes(size);
    });
  const open = (some: readonly Named[]) => some.filter(({ id }) => !answered.has(id));
  const fell = open(moved(true, 'regression', 'lost'));
  if (fell.length > 0) return { do: 'block', because: 'fell', metrics: titles(fell) };
  const small = open(moved(true, 'small regression'));
  if (small.length > 0) return { do: 'investigate', because: 'fell a little', metrics: titles(small) };
  const beside = moved(false, 'regression', 'lost');
  if (beside.length > 0)
    return { do: 'investigate', because: 'fell beside the gate', metrics: titles(beside) };
  if (answered.size > 0) return { do: 'proceed', because: 'approved' };
  const compared = blocking.some((id) => comparison.changes[id]?.points !== undefined);
  return compared
    ? { do: 'proceed', because: 'nothing fell' }
    : { do: 'nothing', because: 'no value on both sides' };
}

function titles(metrics: readonly Named[]): string[] {
  return metrics.map(({ title }) => title);
}

/** Changes that chance explains: a regression that is noise still counts, but is called noise. */
export type Noise =
  /** So few cases changed that nothing can be told. */
  'too few to tell' | readonly NoisyChange[];

type NoisyChange = {
  readonly title: string;
  readonly points: number;
  readonly cases: number;
  readonly p: number;
};

export function noiseOf(metrics: readonly Named[], comparison: Comparison): Noise {
  const moved = metrics.flatMap(({ id, title }) => {
    const change = comparison.changes[id];
    return change?.points === undefined || change.size === 'unchanged' ? [] : [{ title, ...change }];
  });
  if (
    moved.length > 0 &&
    moved.every(({ paired }) => paired === undefined || paired.verdict === 'too few to tell')
  )
    return 'too few to tell';
  return moved.flatMap(({ title, paired, points = 0 }) =>
    paired?.verdict === 'noise' ? [{ title, points, cases: paired.cases, p: paired.p }] : [],
  );
}
