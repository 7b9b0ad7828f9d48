/** Checks whether critical errors or precision fell by more than the variation between runs. */
import { mean, sampleSd } from '../../stats/descriptive.ts';
import type { RunEvidence } from '../evidence.ts';
import { chanceLevel } from '../metrics/chance-level.ts';
import { detectionRate } from '../metrics/detection-rate.ts';
import { precision } from '../metrics/precision.ts';
import type { PairedError } from './paired-errors.ts';

/** A fall of up to this many points is not a loss. */
const MARGIN = 10;

/** One-sided 95%. */
const Z = 1.6448536269514722;

const TOLERANCE = 1e-9;

type Stratum = { readonly before: readonly number[]; readonly after: readonly number[] };

/**
 * The mean difference over strata with its 90% interval over runs. Under the null hypothesis the sides are exchangeable
 * within a stratum, so the variance is that of permuting runs.
 */
function runNoise(strata: readonly Stratum[]) {
  const compared = strata.filter(({ before, after }) => before.length > 0 && after.length > 0);
  const difference = mean(
    compared.map(({ before, after }) => (mean(after) as number) - (mean(before) as number)),
  );
  if (difference === undefined) return undefined;
  const variance = compared.reduce((sum, { before, after }) => {
    const spread = sampleSd([...before, ...after]) ?? 0;
    return sum + spread ** 2 * (1 / before.length + 1 / after.length);
  }, 0);
  const error = Math.sqrt(variance) / compared.length;
  return { difference, error, low: difference - Z * error, high: difference + Z * error };
}

export type RunNoise = NonNullable<ReturnType<typeof runNoise>>;

/** Certainly a fall, and possibly larger than the margin. */
function isLoss({ low, high }: RunNoise): boolean {
  return high < -TOLERANCE && low < -MARGIN - TOLERANCE;
}

/** One stratum per error, over its runs. */
export function overErrors(errors: readonly PairedError[]): RunNoise | undefined {
  return runNoise(
    errors.map(({ creditsBefore, creditsAfter }) => ({
      before: creditsBefore.map((credit) => 100 * credit),
      after: creditsAfter.map((credit) => 100 * credit),
    })),
  );
}

/** Lost critical errors. An error found in every run before and in none now is always lost. */
export function criticalLoss(errors: readonly PairedError[]) {
  const critical = errors.filter(({ severity }) => severity === 'CRITICAL');
  const fell = critical.filter(({ before, after }) => after < before - TOLERANCE);
  const gone = fell.filter(
    ({ creditsBefore, after }) => after === 0 && creditsBefore.every((credit) => credit > 0),
  );
  const interval = overErrors(critical);
  const lost = interval !== undefined && isLoss(interval) ? fell : gone;
  return { interval, fell, lost: lost.length > 0 ? lost : undefined };
}

/** At least this share of a gain must exceed what random findings would have gained. */
const LEAST_SKILL = 0.5;

export function falseAlarms(before: readonly RunEvidence[], after: readonly RunEvidence[], gain: number) {
  const valuesOf = (runs: readonly RunEvidence[], task: string) =>
    runs.flatMap((run) => {
      const one = run.task === task ? precision.compute([run]) : undefined;
      return one?.measured ? [100 * one.value] : [];
    });
  const tasks = [...new Set(before.map(({ task }) => task))];
  const interval = runNoise(
    tasks.map((task) => ({ before: valuesOf(before, task), after: valuesOf(after, task) })),
  );
  const chance = [before, after].map((runs) => chanceLevel.compute(runs));
  const [low, high] = chance;
  const byChance = low?.measured && high?.measured ? high.value - low.value : 0;
  const right = mean(tasks.flatMap((task) => valuesOf(after, task))) ?? 0;
  const covered = mean(after.flatMap((run) => run.chance?.covered ?? [])) ?? 0;
  const isFlood = gain > 0 && byChance >= (1 - LEAST_SKILL) * gain && (right < 50 || covered > 0.5);
  return {
    interval,
    falls: interval !== undefined && interval.difference < -MARGIN - TOLERANCE && interval.high < -TOLERANCE,
    /** Points of the gain that random findings would also have earned, if the gain comes from a flood of findings. */
    byChance: isFlood ? byChance : undefined,
  };
}

/** The gain in detection rate that the gain of random findings is compared with. */
export function detectionGain(before: readonly RunEvidence[], after: readonly RunEvidence[]): number {
  const [one, other] = [detectionRate.compute(before), detectionRate.compute(after)];
  return one.measured && other.measured ? other.value - one.value : 0;
}

/** Gaps in numbered runs. A date or a build number is not a run number. */
export function missingRuns(runs: readonly RunEvidence[]): { task: string; missing: readonly number[] }[] {
  return [...Map.groupBy(runs, ({ task }) => task)].flatMap(([task, own]) => {
    const names = own.map(({ run }) => /^(\D{0,20})(\d{1,3})$/.exec(run));
    if (names.includes(null) || new Set(names.map((name) => name?.[1])).size > 1) return [];
    const there = new Set(names.map((name) => Number(name?.[2])));
    const last = Math.max(...there);
    const first = there.has(0) ? 0 : 1;
    const missing = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(
      (n) => !there.has(n),
    );
    return missing.length === 0 || missing.length > 3 * there.size ? [] : [{ task, missing }];
  });
}

/** Every run of a task reports the same findings. Equal scores alone do not prove a deterministic workflow. */
export function isDeterministic(runs: readonly RunEvidence[]): boolean {
  return [...Map.groupBy(runs, ({ task }) => task).values()].every((own) => {
    const reports = own.map(({ findings, errors }) =>
      JSON.stringify([
        findings.map(({ identity, class: of }) => [identity, of]).sort(),
        errors.map(({ id, credit }) => [id, credit]),
      ]),
    );
    return own.length > 1 && new Set(reports).size === 1;
  });
}
