/** `assay/workflow`: scores and compares reviews that should find known errors. */
export {
  type BlindStartRequest,
  checkBlind,
  type EvaluatorRequest,
  type ExportedLabels,
  type ExportLabelsRequest,
  errorsToPredict,
  exportBlind,
  type HandInRequest,
  handIn,
  handInRevisions,
  type OpenRequest,
  type OpenStep,
  openBlind,
  openStep,
  readDesk,
  startBlind,
  statusOfBlind,
  type VerifyRequest,
  verifyBlind,
} from '../operations/workflow/blind.ts';
export {
  type CompareOptions,
  type CompareRequest,
  compareSides,
  compareWorkflows,
} from '../operations/workflow/compare-workflows.ts';
export type { SidesFrom } from '../operations/workflow/comparison-sides.ts';
export { COMPARE_DEFAULTS, SCORE_DEFAULTS } from '../operations/workflow/defaults.ts';
export { type DraftGroundTruthRequest, draftGroundTruth } from '../operations/workflow/draft-ground-truth.ts';
export {
  type ExportRequest,
  exportFindings,
} from '../operations/workflow/export-findings.ts';
export { type FoundEvaluations, findEvaluations } from '../operations/workflow/find-evaluations.ts';
export { type LintRequest, lintFiles } from '../operations/workflow/lint-files.ts';
export {
  type CategoriesRequest,
  mapCategories,
} from '../operations/workflow/map-categories.ts';
export {
  type RankRequest,
  rankWorkflows,
} from '../operations/workflow/rank-workflows.ts';
export { type HistoryRequest, readHistory } from '../operations/workflow/read-history.ts';
export {
  type ExaminedReviews,
  type ReviewFiles,
  type ReviewInputs,
  readReviews,
} from '../operations/workflow/read-reviews.ts';
export {
  type ReportRequest,
  reportExperiment,
} from '../operations/workflow/report-experiment.ts';
export { type ScoreRequest, scoreReviews } from '../operations/workflow/score-reviews.ts';
export {
  type SuggestMappingRequest,
  suggestMapping,
} from '../operations/workflow/suggest-mapping.ts';
export { assess, type Job } from '../pipeline.ts';
export type { BlindDesk, BlindStarted } from '../workflow/blind/material.ts';
export { workflowMetrics } from '../workflow/catalog.ts';
export type { ComparedWorkflows, WorkflowComparison } from '../workflow/compare/measure-sides.ts';
export type { RunEvidence } from '../workflow/evidence.ts';
export { readRuns } from '../workflow/ingest/collect-runs.ts';
export type { Importer } from '../workflow/ingest/formats/importer.ts';
export { readRun as readReviewRuns, readTruth } from '../workflow/ingest/import-file.ts';
export { type Experiment, readExperiment } from '../workflow/ingest/read-experiment.ts';
export type { RankedWorkflows } from '../workflow/leaderboard.ts';
export type { Inspection } from '../workflow/lint/inspect.ts';
export { examineRun } from '../workflow/match/examine-run.ts';
export type { MappedCategories } from '../workflow/reports/category-heatmap.ts';
export type { ReportedExperiment } from '../workflow/reports/report.ts';
export type { ExportedFindings } from '../workflow/reports/sarif.ts';
export type { Finding, ReviewRun } from '../workflow/review.ts';
export type { SuggestedMapping } from '../workflow/suggest-mapping.ts';
export type { ScoredReviews } from '../workflow/summary.ts';
export type { GroundTruth, KnownError } from '../workflow/truth.ts';
export { biasView, statusView, verificationView } from '../workflow/views/blind-check.ts';
export { compareView } from '../workflow/views/comparison.ts';
export { heatmapView } from '../workflow/views/heatmap.ts';
export { historyView } from '../workflow/views/history.ts';
export { leaderboardView } from '../workflow/views/leaderboard.ts';
export { lintView } from '../workflow/views/lint.ts';
export type { Typed } from '../workflow/views/next-steps.ts';
export { truthDraftView } from '../workflow/views/next-steps.ts';
export { reportView } from '../workflow/views/report.ts';
export { scoreView } from '../workflow/views/score.ts';
export type { OesChoice, OesComponent, OesWeights } from '../workflow/weights.ts';
export * from './base.ts';
