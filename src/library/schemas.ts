/** `assay/schemas`: what leaves the product as JSON, as zod schemas. The only entry that loads zod for their sake. */
export { alert as alertSchema } from '../api/schema/alert.ts';
export {
  calibration as calibrationSchema,
  sessionJudgements as sessionJudgementsSchema,
} from '../api/schema/calibration.ts';
export { settings as settingsSchema } from '../api/schema/config.ts';
export {
  decompositionCase as decompositionCaseSchema,
  decompositionResult as decompositionResultSchema,
  decompositionRun as decompositionRunSchema,
  decompositionTrend as decompositionTrendSchema,
  decompositionTrendRow as decompositionTrendRowSchema,
  extractionLine as extractionLineSchema,
  goldenLint as goldenLintSchema,
  investigation as investigationSchema,
  runSummary as runSummarySchema,
} from '../api/schema/decomposition.ts';
export { digest as digestSchema } from '../api/schema/digest.ts';
export { explanation as explanationSchema } from '../api/schema/explanation.ts';
export { frontier as frontierSchema } from '../api/schema/frontier.ts';
export { metricList as metricListSchema } from '../api/schema/metrics.ts';
export {
  judgedMeasurement as judgedMeasurementSchema,
  measurement as measurementSchema,
} from '../api/schema/parts.ts';
export {
  promptDiff as promptDiffSchema,
  promptList as promptListSchema,
  promptPromotion as promptPromotionSchema,
  promptRollback as promptRollbackSchema,
  promptStarted as promptStartedSchema,
} from '../api/schema/prompts.ts';
export {
  caseResult as caseResultSchema,
  comparison as comparisonSchema,
  gate as gateSchema,
  run as runSchema,
} from '../api/schema/run.ts';
export {
  baselineRow as baselineRowSchema,
  fittedRow as fittedRowSchema,
  riskRow as riskRowSchema,
  roiRow as roiRowSchema,
  sessionAttention as sessionAttentionSchema,
  sessionBaselineFit as sessionBaselineFitSchema,
  sessionBaselines as sessionBaselinesSchema,
  sessionRisks as sessionRisksSchema,
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
export {
  sessionVerifications as sessionVerificationsSchema,
  verifiedSession as verifiedSessionSchema,
} from '../api/schema/session-verifications.ts';
export { rating as ratingSchema } from '../api/schema/session-views.ts';
export { validation as validationSchema } from '../api/schema/validation.ts';
export {
  scoredReviews as scoredReviewsSchema,
  scoreRow as scoreRowSchema,
  workflowComparison as workflowComparisonSchema,
  workflowHeatmap as workflowHeatmapSchema,
  workflowHistory as workflowHistorySchema,
  workflowLeaderboard as workflowLeaderboardSchema,
  workflowLint as workflowLintSchema,
  workflowReport as workflowReportSchema,
} from '../api/schema/workflow.ts';
export {
  blindCheck as blindCheckSchema,
  blindErrors as blindErrorsSchema,
  blindFindings as blindFindingsSchema,
  blindMatches as blindMatchesSchema,
  blindStatus as blindStatusSchema,
  blindVerification as blindVerificationSchema,
} from '../api/schema/workflow-blind.ts';
export { encodeStoredRun } from '../api/stored-run.ts';
export { encode, type Source } from '../api/wire.ts';
