/** The public surface of the package, written by hand: what is not here may change without notice. */
export { type Config, defineConfig, type UserConfig } from './config.ts';
export { decompositionMetrics } from './decomposition/catalog.ts';
export type { CaseEvidence, TrialEvidence } from './decomposition/evidence.ts';
export { examineTrials } from './decomposition/ingest/examine.ts';
export { type GoldenCase, type GoldenSet, readGoldenSet } from './decomposition/ingest/golden-case.ts';
export type { ExtractionOutput } from './decomposition/ingest/output.ts';
export { AssayError, type ErrorCode } from './errors.ts';
export type { Gate, GateVerdict } from './judge/gate.ts';
export { type JudgedRun, type Judgement, judgeAgain, type OtherLines } from './judge/judgement.ts';
export type { JudgedCase, JudgedMetric, Validity, Verdict } from './judge/verdict.ts';
export type { Zone } from './judge/zone.ts';
export {
  type Estimate,
  estimate,
  type Measurement,
  type Metric,
  type Unmeasured,
  unmeasured,
} from './measure/metric.ts';
export { assess, type Job } from './pipeline.ts';
export { openStore } from './store/open.ts';
export { quantileOfBins, type RollupQuery, type SessionRollup } from './store/rollup.ts';
export type { Store } from './store/store.ts';
export { workflowMetrics } from './workflow/catalog.ts';
export type { RunEvidence } from './workflow/evidence.ts';
export { readRuns } from './workflow/ingest/collect-runs.ts';
export { readTruth } from './workflow/ingest/import-truth.ts';
export { readExperiment } from './workflow/ingest/read-experiment.ts';
export { examineRun } from './workflow/match/examine-run.ts';
export type { ReviewRun } from './workflow/review.ts';
export type { GroundTruth } from './workflow/truth.ts';
