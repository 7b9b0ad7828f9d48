/**
 * The path of a finding from its file to a verdict:
 *
 *     comparison-sides, read-reviews        finds the files; ingest/formats/<tool> reads them
 *     workflow/match/examine-run            findings and known errors → evidence, one per run
 *     workflow/compare/measure-sides        every metric on both sides, and the tests
 *     judge/sides                           one verdict, and the gate
 *     workflow/views/comparison, api/       views for people, JSON for programs
 */
import { type Check, caseChecks, gate } from '../../judge/gate.ts';
import { judgeSides, type SidesGate } from '../../judge/sides.ts';
import { workflowMetrics } from '../../workflow/catalog.ts';
import {
  type ComparedWorkflows,
  type ComparisonSide,
  type DecidingRule,
  type MeasureOptions,
  measureSides,
  type WorkflowComparison,
} from '../../workflow/compare/measure-sides.ts';
import { guardNotes, missingText } from '../../workflow/views/comparison.ts';
import { type OesChoice, ownWeightsNotes } from '../../workflow/weights.ts';
import type { Ports } from '../ports.ts';
import { readSides, type SidesFrom } from './comparison-sides.ts';

export type CompareRequest = OesChoice & {
  readonly baseline: string;
  readonly candidate: string;
  readonly from: SidesFrom;
  /** The key of the deciding metric, chosen before the comparison; default: the detection rate. */
  readonly primary?: string | undefined;
  /** What decides: errors and runs, or the documented rule alone. */
  readonly rule?: DecidingRule | undefined;
  /** Compare even if ground truth or matcher differ. */
  readonly insist: boolean;
  /** A worse result blocks, and an unclear one is inconclusive. */
  readonly gated: boolean;
  /** Only test for better on this error set. */
  readonly onThisSet?: boolean | undefined;
};

/** Tests whether the new version of a review is better or the difference is noise. */
export async function compareWorkflows(request: CompareRequest, ports: Ports): Promise<ComparedWorkflows> {
  const { baseline, candidate, from, components, weights, primary, rule, insist, gated, onThisSet } = request;
  const oes = { components, weights };
  const { before, after, drafts = [], known, ...read } = await readSides(from, baseline, candidate, ports);
  const options = { primary, rule, ...oes, metrics: workflowMetrics(oes), insist, gated, onThisSet };
  const comparison = compareSides(before, after, options);
  const [check] = caseChecks([], { gated: [], drafts });
  const notes = [
    ...ownWeightsNotes(oes),
    ...guardNotes(comparison),
    ...read.notes,
    ...(check === undefined ? [] : [`${check.reason}.`]),
  ];
  return {
    comparison: check === undefined ? comparison : withCheck(comparison, check),
    mappings: read.mappings,
    notes,
    known,
  };
}

/** A draft cannot prove that a version is better; blocking checks still block. */
function withCheck(comparison: WorkflowComparison, check: Check): WorkflowComparison {
  const { verdict } = comparison;
  return { ...comparison, verdict: { ...verdict, gate: gate([...verdict.gate.checks, check]) } };
}

export type CompareOptions = MeasureOptions & Partial<SidesGate>;

/** Compares two given sides; each is measured and judged once. */
export function compareSides(
  before: ComparisonSide,
  after: ComparisonSide,
  { gated = false, onThisSet, ...options }: CompareOptions = {},
): WorkflowComparison {
  const measured = measureSides(before, after, options);
  const verdict = judgeSides(measured.tests, { gated, onThisSet });
  const [first] = measured.missing;
  if (first === undefined || !gated || !verdict.verdict.startsWith('improved'))
    return { ...measured, verdict };
  const reason = `${measured.missing.map(missingText).join('; ')}; runs that were made and are not given would change this`;
  return withCheck({ ...measured, verdict }, { id: 'missing runs', outcome: 'inconclusive', reason });
}
