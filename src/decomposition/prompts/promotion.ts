import type { CaseChange } from '../../judge/case-changes.ts';
import type { JudgedMetric } from '../../judge/verdict.ts';
import type { Zone } from '../../judge/zone.ts';
import { caseNotes, type ImpactRow, recordImpact } from './changelog.ts';
import { appendLedger } from './ledger.ts';
import {
  dateOf,
  editChangelog,
  type Prompt,
  type PromptName,
  parsePromptName,
  versionOf,
} from './prompt-folder.ts';

/** The documented metrics, which a decision requires. */
export const PROMOTION_METRICS: readonly string[] = [
  'decomposition/concept-recall',
  'decomposition/concept-precision',
  'decomposition/concept-f1',
  'decomposition/relationship-accuracy',
  'decomposition/provenance-coverage',
  'decomposition/hallucination-rate',
  'decomposition/overall',
];

const HALLUCINATION = 'decomposition/hallucination-rate';

export type MeasuredVersion = {
  /** Includes the changes since the previous version, if that was measured. */
  readonly metrics: readonly JudgedMetric[];
  readonly gated: readonly string[];
  /** Metric → its zone in the previous version. Absent: there is no previous version. */
  readonly zonesBefore?: Readonly<Record<string, Zone | undefined>>;
  /** The previous version, if there is one that was not measured. */
  readonly beforeUnmeasured?: string;
  readonly errored: readonly string[];
  readonly missing: readonly string[];
  readonly differences: readonly string[];
};

export type Decision = {
  readonly outcome: 'promote' | 'hold' | 'reject';
  /** As shown in the CHANGELOG, the ledger and a report. */
  readonly reasons: readonly string[];
  /** Held only for falls of one to five points or for hallucinations, so a user may approve it with a reason. */
  readonly approvable: boolean;
};

export type Promotion = {
  readonly prompt: string;
  readonly decision: Decision;
  readonly metrics: readonly JudgedMetric[];
  readonly cases: readonly CaseChange[];
  /** The same metrics, formatted for the CHANGELOG. */
  readonly impact: readonly ImpactRow[];
  readonly before?: string;
  /** The previous version by number that has a file. */
  readonly earlier?: string;
  /** The previous version was measured with another model, and the user did not allow that. */
  readonly otherModel: boolean;
};

/**
 * More than five points down, or a metric that enters the fail zone: reject. Everything measured, stable or better:
 * promote. Anything else: hold, with the missing parts.
 */
export function decide(measured: MeasuredVersion): Decision {
  const { metrics } = measured;
  const against = [
    ...metrics.flatMap((metric) => entersFail(metric, measured)),
    ...metrics.filter((metric) => metric.change?.size === 'regression').map((metric) => fell(metric)),
  ];
  if (against.length > 0) return { outcome: 'reject', reasons: against, approvable: false };
  const gaps = gapsIn(measured, metrics);
  const worse = metrics.filter((metric) => metric.change?.size === 'small regression');
  const small = worse.filter(({ change }) => !change?.isNoise).map((metric) => fell(metric));
  const warnings = [...small, ...hallucinated(metrics)];
  if (gaps.length + warnings.length > 0) {
    return { outcome: 'hold', reasons: [...gaps, ...warnings], approvable: gaps.length === 0 };
  }
  const why =
    measured.zonesBefore === undefined
      ? 'the first version, with no metric in the fail zone'
      : worse.length > 0
        ? 'no metric is worse beyond noise, and none enters the fail zone'
        : 'every metric is stable or better, and none enters the fail zone';
  const noise = worse.map((metric) => `${fell(metric)}, within noise`);
  return {
    outcome: 'promote',
    reasons: [why, ...noise, ...stillFailing(metrics, measured)],
    approvable: false,
  };
}

function entersFail(metric: JudgedMetric, { gated, zonesBefore, differences }: MeasuredVersion): string[] {
  if (metric.zone !== 'fail' || !gated.includes(metric.id)) return [];
  // A zone from another scorer or golden set is not comparable.
  const before = differences.length === 0 ? zonesBefore?.[metric.id] : undefined;
  if (before === 'fail') return [];
  return [`${metric.title} is in the fail zone${before ? ` (before: ${before})` : ''}`];
}

/** Even a single hallucination must be reviewed before promotion. */
function hallucinated(metrics: readonly JudgedMetric[]): string[] {
  return metrics.flatMap(({ id, title, measurement, change }) => {
    if (id !== HALLUCINATION || !measurement.measured || measurement.value <= 0) return [];
    const before = change?.baseline.measured ? `, before ${percent(change.baseline.value)}` : '';
    return [`${title} is ${percent(measurement.value)}${before}: it needs a reason`];
  });
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))}%`;
}

function stillFailing(metrics: readonly JudgedMetric[], { gated }: MeasuredVersion): string[] {
  const titles = metrics
    .filter(({ id, zone }) => zone === 'fail' && gated.includes(id))
    .map(({ title }) => title);
  return titles.length === 0
    ? []
    : [`still in the fail zone, as before, so the gate still blocks: ${titles.join(', ')}`];
}

function fell({ title, change }: JudgedMetric): string {
  return `${title} got worse by ${Math.abs(change?.points ?? 0).toFixed(1)} points`;
}

function gapsIn(measured: MeasuredVersion, metrics: readonly JudgedMetric[]): string[] {
  const { errored, missing, differences, beforeUnmeasured, gated } = measured;
  const lost = metrics.filter(
    ({ id, change, measurement }) =>
      change?.size === 'lost' ||
      (!measurement.measured && (PROMOTION_METRICS.includes(id) || gated.includes(id))),
  );
  return [
    ...(errored.length > 0 ? [`cases could not be measured: ${errored.join(', ')}`] : []),
    ...(missing.length > 0 ? [`cases of the version before are missing: ${missing.join(', ')}`] : []),
    ...differences,
    ...(beforeUnmeasured === undefined
      ? []
      : [`${beforeUnmeasured} was not measured, so nothing can be compared`]),
    ...lost.map(({ title }) => `${title} was not measured`),
  ];
}

const ACTIONS = { promote: 'promoted', hold: 'held', reject: 'rejected' } as const;

export const DECISION_WORDS = { promote: 'Promoted', hold: 'Held', reject: 'Rejected' } as const;

export type PromotionRecord = {
  readonly at: string;
  readonly who: string;
  readonly result: object;
  readonly measured: string;
};

/** Records every decision in the CHANGELOG for users and in the ledger for verification. */
export async function recordPromotion(
  folder: string,
  prompt: Prompt,
  { decision, impact: rows, cases, before }: Promotion,
  { at, who, result, measured }: PromotionRecord,
): Promise<void> {
  const { outcome, reasons } = decision;
  await appendLedger(folder, {
    at,
    who,
    action: ACTIONS[outcome],
    prompt: prompt.name,
    sha256: prompt.hash,
    from: before,
    reasons: [...reasons],
    result,
  });
  const parsed = parsePromptName(prompt.name) as PromptName;
  const beforeVersion = before === undefined ? undefined : parsePromptName(before);
  const impact = {
    ...(before !== undefined && { before: beforeVersion ? versionOf(beforeVersion) : before }),
    rows,
  };
  const note = `${DECISION_WORDS[outcome]} on ${dateOf(at)} by ${who}: ${reasons.join('; ')}`;
  const version = { stem: parsed.stem, version: versionOf(parsed), date: dateOf(at) };
  await editChangelog(folder, (log) =>
    recordImpact(log, version, impact, [...caseNotes(cases), measured, note]),
  );
}
