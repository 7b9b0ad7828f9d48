import { type Result, readResult, sideOf, tampering } from '../../decomposition/result-file.ts';
import { standardMetrics, standardName } from '../../decomposition/standard.ts';
import type { RunFacts, SuiteRun } from '../../decomposition/suite-run.ts';
import { judge } from '../../judge/judge.ts';
import type { Examined, Measured } from '../../measure/measure.ts';
import type { Ports } from '../ports.ts';
import { type BaselineRequest, openBaseline } from './baseline.ts';
import { checkStandard } from './check-standard.ts';
import { policyWith, type Thresholds } from './run-suite.ts';

export type CompareResultsRequest = {
  readonly result: string;
  readonly against: BaselineRequest;
  readonly thresholds: Thresholds;
};

/** Compares two recorded results without measuring or storing a run. */
export async function compareResults(
  { result: file, against, thresholds }: CompareResultsRequest,
  ports: Ports,
): Promise<SuiteRun> {
  checkStandard(thresholds);
  const standard = standardName(thresholds);
  const baseline = openBaseline(against, ports.identity);
  const result = readResult(file);
  const { metrics: suite, cases: perCase, ...side } = sideOf(result);
  const metrics = standardMetrics(thresholds).filter(
    ({ id, onlyWhereMeasured }) => onlyWhereMeasured === undefined || suite[id]?.measured,
  );
  const measured = { suite, perCase };
  const doubts = [
    ...tampering(result, file),
    ...(result.suite.integrity ?? []),
    ...baseline.doubtsAbout(factsOf(result), result.suite.golden_versions),
  ];
  const verdict = judge(
    {
      ...side,
      standard,
      instrument: 'decomposition',
      subject: result.run.subject,
      content: result.run.content_sha256,
    },
    metrics,
    result.cases.map((one) => examinedOf(one, perCase)),
    measured,
    {},
    {
      ...policyWith(thresholds, result.suite.drafts, [...new Set(doubts)]),
      ...baseline.policy,
    },
  );
  await baseline.storeApprovals(ports);
  return {
    verdict,
    facts: factsOf(result),
    regression: baseline.regressionOf(verdict, measured, metrics, thresholds),
  };
}

/** The judge needs only measurements; a result file contains no evidence. */
function examinedOf({ id, error }: Result['cases'][number], perCase: Measured['perCase']): Examined<never> {
  if (error !== undefined && !Object.hasOwn(perCase, id)) return { id, error };
  const evidence = undefined as never;
  return { id, evidence, notes: [], fault: error };
}

function factsOf(result: Result): RunFacts {
  const { run } = result;
  return {
    extractor: run.extractor,
    matchLevel: run.match_level,
    ...(run.prompt !== null && { prompt: run.prompt }),
    ...(run.prompt_sha256 && { promptHash: run.prompt_sha256 }),
    ...(run.prompt_files && { promptFiles: run.prompt_files }),
    ...(run.model !== null && { model: run.model }),
    content: run.content_sha256,
  };
}
