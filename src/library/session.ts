/** `assay/session`: agents at work, scored from their transcripts. */
export type { SessionEventWire } from '../api/schema/session-event.ts';
export { encodeSessionRow, type SessionRowWire } from '../api/session-row.ts';
export {
  type CalibrateRequest,
  type CalibrationResult,
  calibrateWeights,
} from '../operations/session/calibrate-weights.ts';
export { type Digest, type DigestRequest, digestSessions } from '../operations/session/digest-sessions.ts';
export {
  type ExplainRequest,
  type Explanation,
  explainSession,
} from '../operations/session/explain-session.ts';
export {
  type JudgedSession,
  type JudgeRequest,
  type JudgingPlan,
  judgeSessions,
  type SessionJudgements,
} from '../operations/session/judge-sessions.ts';
export { listOutcomes, type Outcomes, type OutcomesRequest } from '../operations/session/list-outcomes.ts';
export { listRisks, type RiskList, type RisksRequest } from '../operations/session/list-risks.ts';
export { type ListRequest, listSessions, type SessionList } from '../operations/session/list-sessions.ts';
export { listSkipped, type Skipped } from '../operations/session/list-skipped.ts';
export { listSources } from '../operations/session/list-sources.ts';
export type { LabelFile } from '../operations/session/match-labels.ts';
export {
  type FrontierRequest,
  type FrontierResult,
  findFrontier,
  measureRoi,
  type RoiRequest,
  type RoiResult,
} from '../operations/session/measure-roi.ts';
export {
  type AttentionRequest,
  type AttentionResult,
  listAttention,
} from '../operations/session/needs-attention.ts';
export {
  type SampleRequest,
  type SessionsToRate,
  type SessionToRate,
  sampleSessions,
} from '../operations/session/sample-sessions.ts';
export { type SaveRatingRequest, saveRating } from '../operations/session/save-rating.ts';
export {
  type FullSession,
  type Scoring,
  scoreRows,
  scoreSessions,
} from '../operations/session/score-sessions.ts';
export {
  type FitBaselinesRequest,
  type FittedBaselines,
  fitSessionBaselines,
  showBaselines,
} from '../operations/session/session-baselines.ts';
export type {
  Machine,
  RepositoryChoices,
  ScoringChoices,
  SessionFilter,
  SessionRequest,
  TranscriptPlaces,
} from '../operations/session/session-request.ts';
export { type SessionOverview, surveySessions } from '../operations/session/survey-sessions.ts';
export {
  type ValidateRequest,
  type Validation,
  validateScores,
} from '../operations/session/validate-scores.ts';
export {
  type Verifications,
  type VerifySessionsRequest,
  verifySessions,
} from '../operations/session/verify-sessions.ts';
export {
  type WatchedSessions,
  type WatchRequest,
  watchSessions,
} from '../operations/session/watch-sessions.ts';
export { sessionMetrics } from '../session/catalog.ts';
export { type PrintedRow, printedRow, SESSION_COLUMNS } from '../session/columns.ts';
export type { SessionEvent } from '../session/event.ts';
export type { AgentRunFacts, FileReading, SessionFacts } from '../session/evidence.ts';
export { readAll } from '../session/ingest/read-all.ts';
export type { WorkOutcome } from '../session/outcomes/work-outcome.ts';
export type { TaskType } from '../session/profiles/task-type.ts';
export { type ScoredSession, type SessionOptions, scoreSession } from '../session/score-session.ts';
export { attentionView } from '../session/views/attention.ts';
export { baselineView, fittedView } from '../session/views/baselines.ts';
export {
  calibrationView,
  judgementsView,
  validationView,
} from '../session/views/calibration.ts';
export { digestView } from '../session/views/digest.ts';
export { explanationView } from '../session/views/explanation.ts';
export { frontierView } from '../session/views/frontier.ts';
export type { SessionsGiven } from '../session/views/next-step.ts';
export { outcomesView } from '../session/views/outcomes.ts';
export { overviewView, sessionTable } from '../session/views/overview.ts';
export { risksView } from '../session/views/risks.ts';
export { roiView } from '../session/views/roi.ts';
export { sessionListView } from '../session/views/session-list.ts';
export { skippedView, sourceView } from '../session/views/sources.ts';
export { verificationsView } from '../session/views/verifications.ts';
export type { SessionWeights } from '../session/weights.ts';
export * from './base.ts';
export { thisMachine } from './this-machine.ts';
