/** The promotion decision of a prompt version, from numbers that were judged before. */
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

/** The documented metrics; what stands beside them informs and does not decide. */
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
  /** With what changed since the version before, where that was measured. */
  readonly metrics: readonly JudgedMetric[];
  readonly gated: readonly string[];
  /** Metric → its zone in the version before. Absent: there was no version before. */
  readonly zonesBefore?: Readonly<Record<string, Zone | undefined>>;
  /** There is a version before, but nobody measured it. */
  readonly beforeUnmeasured?: string;
  readonly errored: readonly string[];
  readonly missing: readonly string[];
  /** Why the two measurements cannot be compared. */
  readonly differences: readonly DecisionReason[];
};

/** Metrics by their titles. */
export type DecisionReason =
  | { readonly kind: 'in the fail zone'; readonly metric: string; readonly before?: Zone }
  | {
      readonly kind: 'fell';
      readonly metric: string;
      readonly points: number;
      readonly isNoise: boolean;
    }
  | {
      readonly kind: 'hallucinated';
      readonly metric: string;
      readonly share: number;
      readonly before?: number;
    }
  | { readonly kind: 'first version' | 'stable' }
  | { readonly kind: 'still failing'; readonly metrics: readonly string[] }
  | { readonly kind: 'cases not measured' | 'cases missing'; readonly cases: readonly string[] }
  | { readonly kind: 'other golden cases'; readonly golden: string }
  | {
      readonly kind: 'other model';
      readonly model: string | null;
      readonly previous: string;
      /** `null`: it is not known. */
      readonly before: string | null;
    }
  /** As the comparison itself says it. */
  | { readonly kind: 'measured otherwise'; readonly how: string }
  | { readonly kind: 'version before not measured'; readonly version: string }
  | { readonly kind: 'not measured'; readonly metric: string }
  | { readonly kind: 'reason given'; readonly reason: string };

export type Decision = {
  readonly outcome: 'promote' | 'hold' | 'reject';
  readonly reasons: readonly DecisionReason[];
  /** Held for nothing but falls of one to five points or hallucinations: somebody may look into them and say why it goes on. */
  readonly approvable: boolean;
};

export type Promotion = {
  readonly prompt: string;
  readonly decision: Decision;
  readonly metrics: readonly JudgedMetric[];
  readonly cases: readonly CaseChange[];
  /** The same metrics as the CHANGELOG says them. */
  readonly impact: readonly ImpactRow[];
  readonly before?: string;
  /** The version before by number, of which there is a file. */
  readonly earlier?: string;
};

/**
 * More than five points down, or a metric that enters the fail zone: reject. Everything measured, stable or better:
 * promote. Anything else is held, with what is missing.
 */
export function decide(measured: MeasuredVersion): Decision {
  const metrics = measured.metrics.filter(
    ({ id }) => PROMOTION_METRICS.includes(id) || measured.gated.includes(id),
  );
  const against = [
    ...metrics.flatMap((metric) => entersFail(metric, measured)),
    ...metrics.filter((metric) => metric.change?.size === 'regression').map((metric) => fell(metric)),
  ];
  if (against.length > 0) return { outcome: 'reject', reasons: against, approvable: false };
  const gaps = gapsIn(measured, metrics);
  const small = metrics
    .filter((metric) => metric.change?.size === 'small regression')
    .map((metric) => fell(metric, metric.change?.paired?.verdict === 'noise'));
  const warnings = [...small, ...hallucinated(metrics)];
  if (gaps.length + warnings.length > 0) {
    return { outcome: 'hold', reasons: [...gaps, ...warnings], approvable: gaps.length === 0 };
  }
  const kind = measured.zonesBefore === undefined ? 'first version' : 'stable';
  return { outcome: 'promote', reasons: [{ kind }, ...stillFailing(metrics, measured)], approvable: false };
}

function entersFail(
  metric: JudgedMetric,
  { gated, zonesBefore, differences }: MeasuredVersion,
): DecisionReason[] {
  if (metric.zone !== 'fail' || !gated.includes(metric.id)) return [];
  // A zone that another scorer or golden set gave says nothing about this one.
  const before = differences.length === 0 ? zonesBefore?.[metric.id] : undefined;
  return before === 'fail'
    ? []
    : [{ kind: 'in the fail zone', metric: metric.title, ...(before && { before }) }];
}

/** However little it is, it is looked into before anything goes on. */
function hallucinated(metrics: readonly JudgedMetric[]): DecisionReason[] {
  return metrics.flatMap(({ id, title, measurement, change }) => {
    if (id !== HALLUCINATION || !measurement.measured || measurement.value <= 0) return [];
    const before = change?.baseline.measured ? { before: change.baseline.value } : {};
    return [{ kind: 'hallucinated', metric: title, share: measurement.value, ...before }];
  });
}

function stillFailing(metrics: readonly JudgedMetric[], { gated }: MeasuredVersion): DecisionReason[] {
  const titles = metrics
    .filter(({ id, zone }) => zone === 'fail' && gated.includes(id))
    .map(({ title }) => title);
  return titles.length === 0 ? [] : [{ kind: 'still failing', metrics: titles }];
}

function fell({ title, change }: JudgedMetric, isNoise = false): DecisionReason {
  return { kind: 'fell', metric: title, points: Math.abs(change?.points ?? 0), isNoise };
}

function gapsIn(measured: MeasuredVersion, metrics: readonly JudgedMetric[]): DecisionReason[] {
  const { errored, missing, differences, beforeUnmeasured } = measured;
  const lost = metrics.filter((metric) => metric.change?.size === 'lost' || !metric.measurement.measured);
  return [
    ...(errored.length > 0 ? [{ kind: 'cases not measured', cases: errored } as const] : []),
    ...(missing.length > 0 ? [{ kind: 'cases missing', cases: missing } as const] : []),
    ...differences,
    ...(beforeUnmeasured === undefined
      ? []
      : [{ kind: 'version before not measured', version: beforeUnmeasured } as const]),
    ...lost.map(({ title }) => ({ kind: 'not measured', metric: title }) as const),
  ];
}

const ACTIONS = { promote: 'promoted', hold: 'held', reject: 'rejected' } as const;

/** The decision as the CHANGELOG and a report say it. */
export const DECISION_WORDS = { promote: 'Promoted', hold: 'Held', reject: 'Rejected' } as const;

export type PromotionRecord = {
  readonly at: string;
  readonly who: string;
  readonly result: object;
  readonly measured: string;
  readonly reasons: readonly string[];
};

/** The CHANGELOG is for people and the ledger for checking; both get the decision, whatever it is. */
export async function recordPromotion(
  folder: string,
  prompt: Prompt,
  { decision, impact: rows, cases, before }: Promotion,
  { at, who, result, measured, reasons }: PromotionRecord,
): Promise<void> {
  const { outcome } = decision;
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
