import type { z } from 'zod';
import type { Investigated, Investigation } from '../../decomposition/investigate/investigation.ts';
import type { QuoteFault } from '../../decomposition/investigate/provenance.ts';
import type { JudgedMetric } from '../../judge/verdict.ts';
import type { Zone } from '../../judge/zone.ts';
import { metricKey } from '../../measure/metric.ts';
import type { Action } from '../../report/action.ts';
import type { investigatedCase, investigation } from '../schema/investigation.ts';
import { encodeAction } from './action.ts';
import { encodeMetrics } from './measurement.ts';

type CaseWire = z.infer<typeof investigatedCase>;
type Plan = readonly { readonly what: string; readonly action: Action }[];

/** `planOf`: the steps that show whether a fix works. */
export function encodeInvestigated(
  { date, cases, clean, errored }: Investigated,
  notes: readonly string[],
  planOf: (one: Investigation) => Plan,
): z.infer<typeof investigation> {
  return {
    format: 'assay-decomposition-investigation',
    version: 2,
    date,
    cases: cases.map((one) => encodeCase(one, planOf(one))),
    nothing_wrong: [...clean],
    errored: errored.map(({ id, error }) => ({ id, error })),
    notes: [...notes],
  };
}

function encodeCase(one: Investigation, plan: Plan): CaseWire {
  const { findings, conclusions } = one;
  const { totals, relationships } = findings;
  return {
    id: one.id,
    prompt_version: one.promptVersion,
    failing: keysIn(one.gated, 'fail'),
    below_target: keysIn(one.gated, 'below target'),
    runs: findings.runs,
    totals: {
      expected: totals.expected,
      extracted: totals.extracted,
      expected_relationships: totals.expectedRelationships,
      extracted_relationships: totals.extractedRelationships,
    },
    metrics: encodeMetrics(one.metrics),
    missed: [...findings.missed],
    unexpected: [...findings.extras],
    duplicates: findings.duplicates.map((same) => ({ ...same, labels: [...same.labels] })),
    wrong_relationships: relationships.wrong.map(({ unmatched, ...wrong }) => ({
      ...wrong,
      ...(unmatched && { unmatched: [...unmatched] }),
    })),
    missed_relationships: [...relationships.missed],
    confusion: [...relationships.confusion],
    quotes: findings.quotes.map(encodeQuote),
    suspicions: [...findings.suspicions],
    checklist: [...one.checklist],
    symptoms: [...conclusions.symptoms],
    root_cause: [...conclusions.rootCause],
    proposed_fix: [...conclusions.proposedFix],
    verification_plan: plan.map(({ what, action }) => ({ what, action: encodeAction(action) })),
  };
}

function keysIn(metrics: readonly JudgedMetric[], zone: Zone): string[] {
  return metrics.filter((metric) => metric.zone === zone).map(({ id }) => metricKey(id));
}

function encodeQuote({ nearest, ...fault }: QuoteFault): CaseWire['quotes'][number] {
  if (nearest === undefined) return fault;
  const { leftOut, added, ...rest } = nearest;
  return { ...fault, nearest: { ...rest, left_out: [...leftOut], added: [...added] } };
}
