/**
 * The way of a finding, from its file to a verdict:
 *
 *     comparison-sides, read-reviews        which files there are; ingest/formats/<tool> reads them
 *     workflow/match/examine-run            findings and known errors → evidence, one per run
 *     workflow/compare/measure-sides        every metric on both sides, and the tests
 *     judge/sides                           one answer, and what it lets through
 *     workflow/views/comparison, api/       for people and for programs
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
  /** The key of the metric that decides, named before looking; by default the detection rate. */
  readonly primary?: string | undefined;
  /** What decides: errors and runs, or the documented rule alone. */
  readonly rule?: DecidingRule | undefined;
  /** Compare although ground truth or matcher differ. */
  readonly insist: boolean;
  /** Worse blocks, and an unclear result is inconclusive. */
  readonly gated: boolean;
  /** Better on this error set is all that is asked. */
  readonly onThisSet?: boolean | undefined;
};

/** Is the new version of a review better, or is the difference noise? */
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

/** Better against a draft is not proven; what blocks still blocks. */
function withCheck(comparison: WorkflowComparison, check: Check): WorkflowComparison {
  const { verdict } = comparison;
  return { ...comparison, verdict: { ...verdict, gate: gate([...verdict.gate.checks, check]) } };
}

export type CompareOptions = MeasureOptions & Partial<SidesGate>;

/** The same of two sides that are at hand: measured once, judged once. */
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
