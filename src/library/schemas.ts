/** `assay/schemas`: what leaves the product as JSON, as zod schemas. The only entry that loads zod for their sake. */
export { alert as alertSchema } from '../api/schema/alert.ts';
export { calibration as calibrationSchema } from '../api/schema/calibration.ts';
export { comparison as comparisonSchema } from '../api/schema/comparison.ts';
export { settings as settingsSchema } from '../api/schema/config.ts';
export { decompositionResult as decompositionResultSchema } from '../api/schema/decomposition-result.ts';
export {
  decompositionCase as decompositionCaseSchema,
  decompositionRun as decompositionRunSchema,
} from '../api/schema/decomposition-run.ts';
export {
  decompositionTrend as decompositionTrendSchema,
  decompositionTrendRow as decompositionTrendRowSchema,
} from '../api/schema/decomposition-trend.ts';
export { digest as digestSchema } from '../api/schema/digest.ts';
export { explanation as explanationSchema } from '../api/schema/explanation.ts';
export { extractionLine as extractionLineSchema } from '../api/schema/extraction-line.ts';
export { frontier as frontierSchema } from '../api/schema/frontier.ts';
export { gate as gateSchema } from '../api/schema/gate.ts';
export { goldenLint as goldenLintSchema } from '../api/schema/golden-lint.ts';
export { investigation as investigationSchema } from '../api/schema/investigation.ts';
export { sessionJudgements as sessionJudgementsSchema } from '../api/schema/judgement.ts';
export {
  judgedMeasurement as judgedMeasurementSchema,
  measurement as measurementSchema,
} from '../api/schema/measurement.ts';
export { metricList as metricListSchema } from '../api/schema/metrics.ts';
export {
  promptDiff as promptDiffSchema,
  promptList as promptListSchema,
  promptPromotion as promptPromotionSchema,
  promptRollback as promptRollbackSchema,
  promptStarted as promptStartedSchema,
} from '../api/schema/prompts.ts';
export { rating as ratingSchema } from '../api/schema/rating.ts';
export { caseResult as caseResultSchema, run as runSchema } from '../api/schema/run.ts';
export { runSummary as runSummarySchema } from '../api/schema/run-summary.ts';
export {
  baselineRow as baselineRowSchema,
  fittedRow as fittedRowSchema,
  lowSession as lowSessionSchema,
  roiRow as roiRowSchema,
  sessionBaselineFit as sessionBaselineFitSchema,
  sessionBaselines as sessionBaselinesSchema,
  sessionFlags as sessionFlagsSchema,
  sessionRescored as sessionRescoredSchema,
  sessionRoi as sessionRoiSchema,
  sessionSent as sessionSentSchema,
  sessionSkipped as sessionSkippedSchema,
  sessionSources as sessionSourcesSchema,
  skippedRow as skippedRowSchema,
  sourceRow as sourceRowSchema,
} from '../api/schema/session-lists.ts';
export {
  outcomeRow as outcomeRowSchema,
  sessionOutcomes as sessionOutcomesSchema,
} from '../api/schema/session-outcomes.ts';
export { sessionRow as sessionRowSchema } from '../api/schema/session-row.ts';
export { validation as validationSchema } from '../api/schema/validation.ts';
export {
  blindCheck as blindCheckSchema,
  blindErrors as blindErrorsSchema,
  blindFindings as blindFindingsSchema,
  blindMatches as blindMatchesSchema,
  blindStatus as blindStatusSchema,
  blindVerification as blindVerificationSchema,
} from '../api/schema/workflow/blind.ts';
export { workflowComparison as workflowComparisonSchema } from '../api/schema/workflow/comparison.ts';
export { workflowHeatmap as workflowHeatmapSchema } from '../api/schema/workflow/heatmap.ts';
export { workflowHistory as workflowHistorySchema } from '../api/schema/workflow/history.ts';
export { workflowLeaderboard as workflowLeaderboardSchema } from '../api/schema/workflow/leaderboard.ts';
export { workflowLint as workflowLintSchema } from '../api/schema/workflow/lint.ts';
export { workflowReport as workflowReportSchema } from '../api/schema/workflow/report.ts';
export {
  scoredReviews as scoredReviewsSchema,
  scoreRow as scoreRowSchema,
} from '../api/schema/workflow/score.ts';
