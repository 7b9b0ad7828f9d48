import { type CaseEvidence, MATCH_LEVELS } from '../../decomposition/evidence.ts';
import { withOwnPredicates } from '../../decomposition/golden-rules.ts';
import { appendHistory, earlierPoints, historyEntry, readHistory } from '../../decomposition/history.ts';
import { overallWithout } from '../../decomposition/metrics/overall.ts';
import { promptHashes } from '../../decomposition/prompts/prompt-folder.ts';
import { scorerWith } from '../../decomposition/scorer.ts';
import {
  explainOverall,
  gatePolicy,
  policyForCases,
  regressionPolicy,
  type Standard,
  standardMetrics,
  standardName,
} from '../../decomposition/standard.ts';
import type { SuiteFacts, SuiteRun } from '../../decomposition/suite-run.ts';
import type { Policy } from '../../judge/judge.ts';
import { type Declaration, type JudgedMetric, judgeMetrics, type Verdict } from '../../judge/verdict.ts';
import { type Examined, measureAll } from '../../measure/measure.ts';
import type { Metric } from '../../measure/metric.ts';
import { assess, NO_STORE } from '../../pipeline.ts';
import type { Ports } from '../ports.ts';
import { MEASURE_AGAIN, storageFailure } from '../storage-failure.ts';
import { type BaselineRequest, openBaseline } from './baseline.ts';
import { checkStandard } from './check-standard.ts';
import { readSuite, type SuiteInput, type SuiteRequest } from './read-suite.ts';

export type { SuiteRun } from '../../decomposition/suite-run.ts';

export type Thresholds = Standard;

export type RunSuiteRequest = SuiteRequest & {
  readonly thresholds: Thresholds;
  /** A description of what was measured; default: that of the outputs or the extractor. */
  readonly subject?: string;
  /** The folder with the project's prompts: the run must use those that changed since the baseline. */
  readonly prompts?: string;
  /** The history file; without one this run is not listed. */
  readonly history?: string;
  /** `false`: store nothing. */
  readonly keep?: boolean;
  /** Compare the run with a baseline. */
  readonly against?: BaselineRequest;
};

const UNLISTED = { say: 'use no history', options: { 'no-history': true } } as const;

export async function runSuite(request: RunSuiteRequest, ports: Ports): Promise<SuiteRun> {
  const { history, thresholds, against } = request;
  // Report unreadable or unwritable files before spending anything on the run.
  checkStandard(thresholds);
  const listed = history === undefined ? [] : readHistory(history);
  const standard = standardName(thresholds);
  const baseline = against && openBaseline(against, ports.identity);
  const stored = (await baseline?.storedDoubts(ports)) ?? [];
  const metrics = standardMetrics(thresholds);
  const promptFiles = request.prompts === undefined ? undefined : promptHashes(request.prompts);
  const named = request.subject === undefined ? {} : { subject: request.subject };
  const { verdict, measured, input, facts } = await assess(
    {
      subject: {
        instrument: 'decomposition',
        runId: ports.newId(),
        at: ports.now().toISOString(),
        scorer: scorerOf(request),
        standard,
      },
      metrics,
      earlier: (series) => earlierPoints(listed, series),
      policy: ({ reading, facts: read, cases }) => {
        const notRun = sayFailedCalls(reading.failedCalls, cases);
        const doubts = [
          ...(reading.integrity ?? []),
          ...(baseline?.doubtsAbout(read, reading.goldenVersions) ?? []),
          ...stored,
        ];
        const policy = policyWith(thresholds, reading.drafts, doubts);
        const whole = { ...policy, gate: { ...policy.gate, ...(notRun && { notRun }) }, ...baseline?.policy };
        return policyForCases(whole, thresholds, cases);
      },
      ingest: async () => {
        const read = await readSuite(request, ports);
        return { ...read, ...named, facts: { ...read.facts, ...(promptFiles && { promptFiles }) } };
      },
      facts: ({ verdict: judged, input: read }): SuiteFacts => ({
        names: read.facts,
        reading: read.reading,
        ...levelsOf(judged, metrics, read),
        ...(baseline && { regression: baseline.asked() }),
      }),
    },
    request.keep === false ? NO_STORE : ports.store,
    (error) =>
      ports.reportStorageFailure(
        storageFailure(error, 'The run is given, but it is not in the store', MEASURE_AGAIN),
      ),
  );
  await baseline?.storeApprovals(ports);
  if (history !== undefined) {
    await appendHistory(history, historyEntry(verdict, input.facts)).catch((error: unknown) =>
      ports.reportStorageFailure(
        storageFailure(error, 'The run is given, but it is not in the history', MEASURE_AGAIN, UNLISTED),
      ),
    );
  }
  return {
    verdict,
    facts: input.facts,
    reading: input.reading,
    evidence: new Map(
      input.cases.flatMap((one) => ('evidence' in one ? [[one.id, one.evidence] as const] : [])),
    ),
    ...(facts && judgedLevels(verdict, metrics, facts)),
    ...(baseline && { regression: baseline.regressionOf(verdict, measured, metrics, thresholds) }),
  };
}

/** A failed call says nothing about quality. */
function sayFailedCalls(
  failed: readonly string[] = [],
  cases: readonly Examined<CaseEvidence>[],
): readonly string[] | undefined {
  if (failed.length === 0) return undefined;
  const measured = cases.filter((one) => !('error' in one) && one.fault === undefined).length;
  const calls = failed.length === 1 ? '1 call failed' : `${failed.length} calls failed`;
  const of = `${measured} of ${cases.length} cases could be measured`;
  return [`${of}: ${calls}: ${[...new Set(failed.map(shortened))].slice(0, 2).join('; ')}`];
}

function shortened(error: string): string {
  const line = error.replaceAll(/\s+/g, ' ');
  return line.length > LONGEST_ERROR ? `${line.slice(0, LONGEST_ERROR)}…` : line;
}

const LONGEST_ERROR = 200;

/** Everything that the numbers depend on, including metrics left out of the overall score. */
function scorerOf(request: RunSuiteRequest): string {
  const { weights, gate } = request.thresholds;
  const { matchLevel } = request;
  const predicateMap = withOwnPredicates(request.predicateMap, request.vocabulary?.predicates);
  return scorerWith({ matchLevel, weights, predicateMap, without: overallWithout(gate?.leaveOut ?? []) });
}

export function policyWith(
  thresholds: Thresholds,
  drafts: readonly string[] = [],
  doubts: readonly string[] = [],
): Policy {
  const { weights, overallScale } = thresholds;
  return {
    gate: {
      ...gatePolicy(thresholds),
      ...(drafts.length > 0 && { drafts }),
      ...(doubts.length > 0 && { doubts }),
    },
    compare: regressionPolicy(thresholds),
    explain: (metrics) => explainOverall(metrics, weights, overallScale),
  };
}

function levelsOf(
  verdict: Verdict,
  metrics: readonly Metric<CaseEvidence>[],
  { otherLevels, reading }: SuiteInput,
): Pick<SuiteFacts, 'levels'> {
  if (reading.semantic !== 'measured' || verdict.validity.cases === 0) return {};
  const measured = [...otherLevels].map(
    ([level, evidence]) => [level, measureAll(metrics, evidence)] as const,
  );
  return { levels: Object.fromEntries(measured) };
}

/** The suite at each level shown, from strict to loose; the gate's own level is already judged. */
export function judgedLevels(
  verdict: Verdict,
  metrics: readonly Declaration[],
  { levels, names }: Pick<SuiteFacts, 'levels' | 'names'>,
): Pick<SuiteRun, 'levels'> {
  if (levels === undefined) return {};
  const shown = metrics.filter(({ id }) => verdict.metrics.some((one) => one.id === id));
  const judged = MATCH_LEVELS.flatMap((level): [string, readonly JudgedMetric[]][] => {
    if (level === names.matchLevel) return [[level, verdict.metrics]];
    const measured = levels[level];
    return measured === undefined ? [] : [[level, judgeMetrics(shown, measured)]];
  });
  return { levels: Object.fromEntries(judged) };
}
