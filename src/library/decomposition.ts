/** `assay/decomposition`: a text turned into concepts and relationships, measured against golden cases. */
export { decompositionMetrics } from '../decomposition/catalog.ts';
export type { CaseEvidence, MatchLevel, TrialEvidence } from '../decomposition/evidence.ts';
export {
  type ExaminedOutputs,
  examineOutputs,
  examineTrials,
} from '../decomposition/ingest/collect-cases.ts';
export type { ExtractionTask, Extractor } from '../decomposition/ingest/extractor.ts';
export { type GoldenCase, type GoldenSet, readGoldenSet } from '../decomposition/ingest/golden-case.ts';
export { type ExtractionOutput, parseOutput, readOutput } from '../decomposition/ingest/output.ts';
export type { OutputMap } from '../decomposition/ingest/outputs/output-map.ts';
export { mergeCells, type ProductionCell } from '../decomposition/production/cell.ts';
export {
  correlate,
  type MetricCorrelation,
  type RatedOutput,
  suggestWeights,
  type WeightSuggestion,
} from '../decomposition/production/correlations.ts';
export type { Drift } from '../decomposition/production/drift.ts';
export { type AbArm, assign } from '../decomposition/production/experiment/assign.ts';
export type {
  AbPlan,
  ExperimentStatus,
  KnownExperiment,
} from '../decomposition/production/experiment/plan.ts';
export { operationalFigures, type Production } from '../decomposition/production/production.ts';
export type { DecompositionRecord } from '../decomposition/production/record.ts';
export { scorerWith } from '../decomposition/scorer.ts';
export type { Activity, CaseText, ReadCase, Regression, SuiteRun } from '../decomposition/suite-run.ts';
export { investigationView } from '../decomposition/views/investigation-view.ts';
export { lintView as goldenLintView } from '../decomposition/views/lint-view.ts';
export {
  draftView as goldenDraftView,
  promotionView,
  promptDiffText,
  promptsView,
  rollbackView,
  startedView,
} from '../decomposition/views/prompt-views.ts';
export {
  baselineView as suiteBaselineView,
  runNotes,
  runView,
} from '../decomposition/views/run-view.ts';
export { trendView } from '../decomposition/views/trend-view.ts';
export type { OverallWeights } from '../decomposition/weights.ts';
export type { BaselineRequest } from '../operations/decomposition/baseline.ts';
export {
  type CompareToBaselineRequest,
  compareToBaseline,
  type ListApprovalsRequest,
  listApprovals,
  type SaveBaselineRequest,
  type SavedBaseline,
  saveBaseline,
} from '../operations/decomposition/baseline.ts';
export { type CompareResultsRequest, compareResults } from '../operations/decomposition/compare-results.ts';
export { type CompareRunsRequest, compareRuns } from '../operations/decomposition/compare-runs.ts';
export { SUITE_DEFAULTS } from '../operations/decomposition/defaults.ts';
export {
  type DraftGoldenCaseRequest,
  draftGoldenCase,
} from '../operations/decomposition/draft-golden-case.ts';
export {
  type ExtractedText,
  type ExtractTextsRequest,
  extractTexts,
  type TextExtraction,
} from '../operations/decomposition/extract-texts.ts';
export type { ExtractorRequest } from '../operations/decomposition/extraction.ts';
export { type InvestigateRequest, investigate } from '../operations/decomposition/investigate.ts';
export { type LintGoldenRequest, lintGolden } from '../operations/decomposition/lint-golden.ts';
export { type PromotePromptRequest, promotePrompt } from '../operations/decomposition/promote-prompt.ts';
export {
  type DiffPromptsRequest,
  diffPrompts,
  listPromptDecisions,
  listPromptVersions,
  type PromptDecisions,
  type PromptFolderRequest,
  type RollBackPromptRequest,
  rollBackPrompt,
  type StartPromptVersionRequest,
  startPromptVersion,
} from '../operations/decomposition/prompt-versions.ts';
export {
  type ActivityRequest,
  readActivity,
} from '../operations/decomposition/read-activity.ts';
export {
  type ReadCaseRequest,
  readCase,
} from '../operations/decomposition/read-case.ts';
export type { OutputSource, SuiteRequest } from '../operations/decomposition/read-suite.ts';
export { type ReadTrendsRequest, readTrends } from '../operations/decomposition/read-trends.ts';
export { type RunSuiteRequest, runSuite, type Thresholds } from '../operations/decomposition/run-suite.ts';
export { type MeasureExampleRequest, measureExample } from '../operations/measure-examples.ts';
export { type ReadDriftRequest, readDrift } from '../operations/production/read-drift.ts';
export { type ReadProductionRequest, readProduction } from '../operations/production/read-production.ts';
export {
  openSampler,
  type RecordRequest,
  recordDecompositions,
} from '../operations/production/record-decompositions.ts';
export { assess, type Job } from '../pipeline.ts';
export * from './base.ts';
