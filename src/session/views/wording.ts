import { estimate, type Measurement } from '../../measure/metric.ts';
import { formatScore, formatUsd } from '../../report/number.ts';
import { tierLegend } from '../../report/zone-mark.ts';
import type { WeightsDoubt } from '../calibration/weights-file.ts';
import { FORMATS } from '../ingest/formats/formats.ts';
import type { RoiRow } from '../pricing/roi.ts';
import type { PointCost, Worth } from '../pricing/worth.ts';
import type { ListedSession } from '../session-groups.ts';
import type { Verified } from '../verified.ts';

/** Said wherever Q is shown. */
export const BLIND_SPOT = 'Q measures how a session went, not whether its answer was right.';

/** Said where the marks of tiers stand. */
export const TIERS = `Q: ${tierLegend()}.`;

const VERIFIED_WORDS = {
  yes: 'verified',
  no: 'not verified',
  failed: 'verification failed',
} as const;

/** A row that an older version wrote may not say. */
export function sayVerified(verified: Verified = 'no'): string {
  return VERIFIED_WORDS[verified];
}

/** Said where a cost is a lower bound. */
export const LOWER_BOUND =
  'Costs marked "at least" or ≥ are lower bounds: less output was counted than is visible. Q per dollar is then at most what it says.';

export function meanQOf({ meanQ, n, interval }: Pick<RoiRow, 'meanQ' | 'n' | 'interval'>): Measurement {
  return estimate(meanQ, n, interval ?? {});
}

/** In a sentence: the value with its interval, or why there is none. */
export function sayMeasurement(measurement: Measurement): string {
  if (!measurement.measured) return `– (${measurement.reason})`;
  const { value, low, high } = measurement;
  return low === undefined || high === undefined
    ? formatScore(value)
    : `${formatScore(value)} [${formatScore(low)}, ${formatScore(high)}]`;
}

/** Why cells of a table are empty, each reason once: a terminal has no room for it in the cell. */
export function reasonsFor(measurements: readonly Measurement[]): string[] {
  const reasons = measurements.flatMap((one) => (one.measured ? [] : [one.reason]));
  return [...new Set(reasons)].map((reason) => `– stands for: ${reason}.`);
}

/** What a person should know before trusting scores with such weights. */
export function sayWeightsDoubt(doubt: WeightsDoubt): string {
  return doubt.kind === 'other scorer'
    ? `these weights were fitted with the scorer ${doubt.fittedWith}; this is ${doubt.scorer}, so fit them again`
    : `these weights did not gain when they were fitted: ${doubt.because}`;
}

/** What of the weights is yours, beside what is documented. */
export function sayOwnWeights(own: readonly string[] | undefined): string[] {
  return own === undefined ? [] : [`Your weights: ${own.join('; ')}.`];
}

/** A session in one sentence: what was asked, how it went, and what was seen. */
export function whatWasSeen({ title, sessionId, q, tier, verified, headline }: ListedSession): string {
  const score = q === undefined ? 'Q unmeasured' : `Q ${formatScore(q)}, ${tier}, ${sayVerified(verified)}`;
  return `“${title ?? sessionId}”: ${headline}; ${score}`;
}

/** Said once where such sentences stand. */
export const POINT =
  'A point is 0.01 of Q. The documented rule asks that Q rises as many times as the cost; Q cannot exceed 1.';

export function worthWords(taskType: string, expensive: string, cheaper: string, worth: Worth): string {
  const { meanCostUsd, costRatio, furtherPointUsd, outOfReach, verdict, costIsLowerBound, quality } = worth;
  const atLeast = costIsLowerBound ? 'at least ' : '';
  const more = `${atLeast}${formatUsd(meanCostUsd.expensive - meanCostUsd.cheaper)} more a session`;
  const rule = `Documented rule: ${outOfReach ? 'out of reach' : verdict}.`;
  const gain = `${sayPoints(quality)} for ${more}`;
  if ((quality.interval?.low ?? 0) > 0) {
    const each = furtherPointUsd === undefined ? '' : `, ${sayPoint(furtherPointUsd)} for each point`;
    return `${taskType}: ${expensive} instead of ${cheaper}: ${gain}${each}. ${rule}`;
  }
  const times = costRatio === undefined ? 'more' : `${costRatio.toFixed(1)}× as much`;
  return `${taskType}: no evidence that it is. ${expensive} costs ${times} as ${cheaper} for about the same quality (${gain}). ${rule}`.replace(
    `more as ${cheaper}`,
    `more than ${cheaper}`,
  );
}

/** `+4 points [−1, +9]` */
function sayPoints({ value, interval }: Worth['quality']): string {
  const points = (q: number) => `${q < 0 ? '−' : '+'}${Math.abs(q * 100).toFixed(0)}`;
  const range = interval === undefined ? '' : ` [${points(interval.low)}, ${points(interval.high)}]`;
  return `${points(value)} points${range}`;
}

function sayPoint({ value, interval }: PointCost): string {
  return interval === undefined
    ? formatUsd(value)
    : `${formatUsd(value)} [${formatUsd(interval.low)}, ${formatUsd(interval.high)}]`;
}

/** Folder → what it is called on a screen: the last part of its path, and as many before it as tell it from the others. */
export function projectNames(of: readonly { readonly project?: string | undefined }[]): Map<string, string> {
  const names = new Map<string, string>();
  let open = [...new Set(of.flatMap(({ project }) => project ?? []))].map((project) => ({
    project,
    parts: project.split(/[/\\]+/).filter((part) => part !== ''),
  }));
  for (let length = 1; open.length > 0; length += 1) {
    const alike = Map.groupBy(open, ({ parts, project }) => parts.slice(-length).join('/') || project);
    for (const [name, [one, ...others]] of alike)
      if (one !== undefined && others.length === 0) names.set(one.project, name);
    // Two spellings of one path stay alike.
    for (const { project, parts } of open)
      if (!names.has(project) && parts.length <= length) names.set(project, project);
    open = open.filter(({ project }) => !names.has(project));
  }
  return names;
}

/** Eight characters tell most ids apart; a whole one of twelve is told by its end as often as by its beginning. */
const LENGTHS = [8, 12, 16] as const;
const WHOLE = 12;

/** Id → as much of it as names one session of the list: its beginning, else its end, else all of it. */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const unique = [...new Set(ids)];
  const short = new Map(unique.flatMap((id) => (id.length <= WHOLE ? [[id, id] as const] : [])));
  for (const length of LENGTHS)
    for (const part of [(id: string) => id.slice(0, length), (id: string) => id.slice(-length)])
      for (const [name, [one, ...others]] of Map.groupBy(unique, part))
        if (one !== undefined && others.length === 0 && !short.has(one)) short.set(one, name);
  return new Map(unique.map((id) => [id, short.get(id) ?? id]));
}

const TITLES: ReadonlyMap<string, string> = new Map(FORMATS.map(({ name, title }) => [name, title]));

/** What people call an agent; options and machines go by its name. */
export function agentTitle(name: string): string {
  return TITLES.get(name) ?? name;
}
