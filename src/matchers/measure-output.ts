/** One output against one golden case, measured and judged as the suite does it. */
import { DEFAULT_MATCH_LEVEL, evidenceAt } from '../decomposition/evidence.ts';
import { examineTrials } from '../decomposition/ingest/collect-cases.ts';
import { type GoldenCase, goldenCaseSchema } from '../decomposition/ingest/golden-case.ts';
import { parseOutput } from '../decomposition/ingest/output.ts';
import { parseWith } from '../decomposition/ingest/parse.ts';
import { gatePolicy, type Standard, standardMetrics } from '../decomposition/standard.ts';
import { OVERALL_WEIGHTS } from '../decomposition/weights.ts';
import { AssayError } from '../errors.ts';
import { readJson } from '../files.ts';
import { type JudgedMetric, judgeMetrics } from '../judge/verdict.ts';
import { measureAll } from '../measure/measure.ts';

const STANDARD: Standard = { weights: OVERALL_WEIGHTS, overallScale: 'documented' };

export type MeasuredOutput = {
  readonly metrics: readonly JudgedMetric[];
  readonly gated: readonly JudgedMetric[];
  readonly missed: readonly string[];
  readonly forbidden: readonly string[];
};

/** `golden`: a golden case, or the path of its file. */
export async function measureOutput(output: unknown, golden: unknown): Promise<MeasuredOutput> {
  const truth = goldenCase(golden);
  const examined = await examineTrials(truth, [parseOutput(output, 'the output')]);
  if (!('evidence' in examined)) throw new AssayError('INPUT_INVALID', examined.error);
  const evidence = evidenceAt(examined.evidence, DEFAULT_MATCH_LEVEL);
  const declared = standardMetrics(STANDARD);
  const metrics = judgeMetrics(declared, measureAll(declared, [evidence]));
  const ids = gatePolicy(STANDARD).gated;
  const [trial] = evidence.trials;
  return {
    metrics,
    gated: metrics.filter(({ id }) => ids.includes(id)),
    missed: (trial?.expected ?? []).flatMap(({ label, found }) => (found === undefined ? [label] : [])),
    forbidden: (trial?.concepts ?? []).flatMap(({ canary }) => canary ?? []),
  };
}

function goldenCase(golden: unknown): GoldenCase {
  return typeof golden === 'string'
    ? parseWith(goldenCaseSchema, readJson(golden), golden)
    : parseWith(goldenCaseSchema, golden, 'the golden case');
}
