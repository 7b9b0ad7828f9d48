/**
 * What `expect` of Vitest and Jest can ask of an output and of a session. What could not be measured is an error, with and
 * without `.not`: it is neither good nor bad.
 */
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
import { defaultPorts } from '../operations/default-ports.ts';
import { scoreSessions } from '../operations/session/score-sessions.ts';
import { compareWorkflows } from '../operations/workflow/compare-workflows.ts';
import { COMPARE_DEFAULTS, SCORE_DEFAULTS } from '../operations/workflow/defaults.ts';
import { scoreReviews } from '../operations/workflow/score-reviews.ts';
import { homeOf } from '../own-folder.ts';
import { formatJudged } from '../report/number.ts';
import { plain } from '../report/unsafe-text.ts';

/** The matchers, with types for both runners; all of them are awaited. */
export interface AssayMatchers {
  /** `golden`: a golden case, or the path of its file. `line`: default `target`. */
  toMeetRow3(golden: GoldenCase | string, options?: { readonly line?: 'target' | 'fail' }): Promise<void>;
  toHaveNoHallucinations(golden: GoldenCase | string): Promise<void>;
  toRecallConcepts(golden: GoldenCase | string, share: number): Promise<void>;
  /** What is expected is the path of a transcript, or of a folder of them. */
  toReachQ(least: number): Promise<void>;
  /** What is expected is the path of runs of one workflow; `truth`: of their ground truth; from 0 to 100. */
  toReachDetectionRate(truth: string, least: number): Promise<void>;
  /** The same for precision, from 0 to 1. */
  toReachPrecision(truth: string, least: number): Promise<void>;
  /** The verdict on these runs against those of a baseline is *improved*; `onThisSet`: or better on this error set. */
  toImproveOn(baseline: string, truth: string, options?: { readonly onThisSet?: boolean }): Promise<void>;
}

type Matched = { readonly pass: boolean; readonly message: () => string };

const BELOW = { target: ['fail', 'below target'], fail: ['fail'] } as const;

export const matchers = {
  /** Every metric of the standard that could be measured reaches its target, or with `line: 'fail'` is not in the fail zone. */
  async toMeetRow3(
    output: unknown,
    golden: unknown,
    options: { readonly line?: 'target' | 'fail' } = {},
  ): Promise<Matched> {
    const { line = 'target' } = options;
    if (!Object.hasOwn(BELOW, line)) throw misused('toMeetRow3 knows the lines target and fail');
    const { gated, missed, forbidden } = await measureOutput(output, golden);
    const measured = gated.filter(({ measurement }) => measurement.measured);
    if (measured.length === 0) throw nothing(gated);
    const below: readonly string[] = BELOW[line];
    const short = measured.filter(({ zone }) => zone !== undefined && below.includes(zone));
    const figures = (short.length > 0 ? short : measured).map(said);
    return {
      pass: short.length === 0,
      message: () =>
        lines([...figures, ...named('missed', missed), ...named('forbidden, but extracted', forbidden)]),
    };
  },

  async toHaveNoHallucinations(output: unknown, golden: unknown): Promise<Matched> {
    const { metrics, forbidden } = await measureOutput(output, golden);
    const rate = measuredValue(metrics, 'decomposition/hallucination-rate');
    return {
      pass: rate === 0,
      message: () => lines([`hallucination rate ${rate}`, ...named('forbidden', forbidden)]),
    };
  },

  async toRecallConcepts(output: unknown, golden: unknown, share: number): Promise<Matched> {
    checkShare('toRecallConcepts', share);
    const { metrics, missed } = await measureOutput(output, golden);
    const recall = measuredValue(metrics, 'decomposition/concept-recall');
    return {
      pass: recall >= share,
      message: () => lines([`concept recall ${recall}, asked for ${share}`, ...named('missed', missed)]),
    };
  },

  /** Every session of a transcript (a file or a folder) has at least this Q. */
  async toReachQ(path: unknown, least: number): Promise<Matched> {
    if (typeof path !== 'string') throw misused('toReachQ wants the path of a transcript');
    checkShare('toReachQ', least);
    const { session, q } = await lowestQ(path);
    return {
      pass: q >= least,
      message: () => lines([`Q ${q.toFixed(2)} of ${session}, asked for ${least}`]),
    };
  },

  async toReachDetectionRate(runs: unknown, truth: string, least: number): Promise<Matched> {
    checkUpTo('toReachDetectionRate', least, 100);
    return await reaches('workflow/dr', runs, truth, least);
  },

  async toReachPrecision(runs: unknown, truth: string, least: number): Promise<Matched> {
    checkShare('toReachPrecision', least);
    return await reaches('workflow/precision', runs, truth, least);
  },

  async toImproveOn(
    runs: unknown,
    baseline: string,
    truth: string,
    { onThisSet = false }: { readonly onThisSet?: boolean } = {},
  ): Promise<Matched> {
    if (typeof runs !== 'string') throw misused('toImproveOn wants the path of runs of a review');
    const ports = defaultPorts();
    const request = {
      ...COMPARE_DEFAULTS,
      baseline,
      candidate: runs,
      gated: true,
      onThisSet,
      from: { truth },
    };
    const { comparison } = await compareWorkflows(request, ports).finally(() => ports.close());
    const { verdict, because, gate } = comparison.verdict;
    if (verdict === 'not comparable') throw misused(`the two cannot be compared: ${because}`);
    return {
      pass: verdict.startsWith('improved') && gate.exitCode === 0,
      message: () => lines([`${verdict}: ${because}`]),
    };
  },
};

async function reaches(id: string, runs: unknown, truth: unknown, least: number): Promise<Matched> {
  if (typeof runs !== 'string' || typeof truth !== 'string')
    throw misused('a review is the path of its runs, with the path of their ground truth');
  const ports = defaultPorts();
  const request = { ...SCORE_DEFAULTS, inputs: { truth, runs: [runs] }, keep: false };
  const { verdict } = await scoreReviews(request, ports).finally(() => ports.close());
  const metric = verdict.metrics.find((one) => one.id === id);
  const value = measuredValue(verdict.metrics, id);
  return {
    pass: value >= least - 1e-9,
    message: () => lines([`${metric?.title} ${value.toFixed(2)}, asked for ${least}`]),
  };
}

function misused(why: string): AssayError {
  return new AssayError('INPUT_INVALID', why);
}

/** No value meets a line that is not a number, so `.not` would always pass. */
function checkShare(matcher: string, share: unknown): void {
  checkUpTo(matcher, share, 1);
}

function checkUpTo(matcher: string, value: unknown, most: number): void {
  if (typeof value === 'number' && value >= 0 && value <= most) return;
  throw misused(`${matcher} wants a number from 0 to ${most}, not ${String(value)}`);
}

function measuredValue(metrics: readonly JudgedMetric[], id: string): number {
  const found = metrics.find((one) => one.id === id);
  if (found?.measurement.measured !== true) throw nothing(found === undefined ? [] : [found]);
  return found.measurement.value;
}

function nothing(metrics: readonly JudgedMetric[]): AssayError {
  const why = metrics.flatMap(({ measurement }) => (measurement.measured ? [] : [measurement.reason]));
  return new AssayError('INPUT_INVALID', `nothing could be measured: ${[...new Set(why)].join('; ')}`);
}

function said(metric: JudgedMetric): string {
  const { title, zone, zones } = metric;
  const aim = zones === undefined ? '' : `, target ${zones.target}, fails at ${zones.fail}`;
  return `${title} ${formatJudged(metric)} (${zone ?? 'no target'}${aim})`;
}

function named(what: string, labels: readonly string[]): string[] {
  return labels.length === 0 ? [] : [`${what}: ${labels.join(', ')}`];
}

function lines(all: readonly string[]): string {
  return all.map(plain).join('\n');
}

const STANDARD: Standard = { weights: OVERALL_WEIGHTS, overallScale: 'documented' };

type MeasuredOutput = {
  readonly metrics: readonly JudgedMetric[];
  readonly gated: readonly JudgedMetric[];
  readonly missed: readonly string[];
  readonly forbidden: readonly string[];
};

/** `golden`: a golden case, or the path of its file. */
async function measureOutput(output: unknown, golden: unknown): Promise<MeasuredOutput> {
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

/** Of the session that has the lowest; one without a Q is an error. */
async function lowestQ(path: string): Promise<{ readonly session: string; readonly q: number }> {
  const ports = defaultPorts();
  const machine = { home: homeOf(process.env), environment: process.env };
  const scored: { session: string; q: number }[] = [];
  const without: string[] = [];
  try {
    const { unreadable } = await scoreSessions(
      { from: { paths: [path], ...machine }, opinions: false },
      ports,
      ({ session }) => {
        if (session.q === undefined) without.push(session.sessionId);
        else scored.push({ session: session.sessionId, q: session.q });
      },
    );
    without.push(...unreadable.map((one) => one.path));
  } finally {
    await ports.close();
  }
  const [lowest] = scored.toSorted((a, b) => a.q - b.q);
  if (lowest === undefined || without.length > 0)
    throw new AssayError(
      'INPUT_INVALID',
      `${path} has no session with a Q${without.length > 0 ? `: ${without.join(', ')}` : ''}`,
    );
  return lowest;
}
