/** Everything that leaves the product as JSON: the published pages, and which command prints which of them. */
import { z } from 'zod';
import { alert, alertEvent, alertList, alertStory } from './schema/alert.ts';
import { auditList, auditVerification, tokenList } from './schema/audit.ts';
import { brief } from './schema/brief.ts';
import { calibration, sessionIntents, sessionJudgements } from './schema/calibration.ts';
import { settings } from './schema/config.ts';
import {
  approvalList,
  decompositionActivity,
  decompositionCase,
  decompositionCaseStory,
  decompositionResult,
  decompositionRun,
  decompositionSynonyms,
  decompositionTrend,
  decompositionTrendRow,
  extractionLine,
  goldenDraft,
  goldenFinding,
  goldenImport,
  goldenLint,
  investigation,
  runList,
  runSummary,
} from './schema/decomposition.ts';
import { decompositionQueue } from './schema/decomposition-rating.ts';
import { digest } from './schema/digest.ts';
import { experiment, experimentArm, experimentList, experimentStarted } from './schema/experiments.ts';
import { explanation } from './schema/explanation.ts';
import { frontier } from './schema/frontier.ts';
import { initResult } from './schema/init.ts';
import { metricList } from './schema/metrics.ts';
import { overview } from './schema/overview.ts';
import { production, productionCheck, productionSpan } from './schema/production.ts';
import {
  promptDecisions,
  promptDiff,
  promptList,
  promptPromotion,
  promptRollback,
  promptStarted,
  promptVersion,
} from './schema/prompts.ts';
import { route, routeChoice } from './schema/route.ts';
import { run } from './schema/run.ts';
import { sessionEvent } from './schema/session-event.ts';
import { listedGroup, listedSession, sessionList, sessionNames, sessionPage } from './schema/session-list.ts';
import {
  baselineRow,
  fittedRow,
  riskRow,
  roiRow,
  sessionAttention,
  sessionBaselineFit,
  sessionBaselines,
  sessionRisks,
  sessionRoi,
  sessionSent,
  sessionSkipped,
  sessionSources,
  skippedRow,
  sourceRow,
} from './schema/session-lists.ts';
import { outcomeRow, sessionOutcomes } from './schema/session-outcomes.ts';
import { sessionRow } from './schema/session-row.ts';
import { sessionVerifications, verifiedSession } from './schema/session-verifications.ts';
import {
  rating,
  ratingPage,
  sessionRated,
  sessionRatings,
  sessionTree,
  storedValidation,
  transcriptLines,
} from './schema/session-views.ts';
import {
  storeCheck,
  storeCopy,
  storeExport,
  storeMigration,
  storePruning,
  storeStatus,
} from './schema/store.ts';
import { validation } from './schema/validation.ts';
import {
  categoryRow,
  concernRow,
  errorRow,
  experimentRow,
  historyRow,
  importedPullRequest,
  leaderboardPair,
  leaderboardRow,
  lintRow,
  scoredReviews,
  scoreRow,
  seededTruths,
  workflowComparison,
  workflowDraft,
  workflowHeatmap,
  workflowHistory,
  workflowLeaderboard,
  workflowLint,
  workflowMapping,
  workflowReport,
} from './schema/workflow.ts';
import {
  blindCheck,
  blindDesk,
  blindErrors,
  blindFindings,
  blindMatches,
  blindStarted,
  blindStatus,
  blindSubmitted,
  blindVerification,
  evaluatorProgress,
  workflowEvaluations,
} from './schema/workflow-blind.ts';

/** A schema with the commands that print it: whole, as a list, or one per line. */
type Page = {
  readonly schema: z.ZodType;
  readonly title?: string;
  readonly json?: readonly string[];
  readonly jsonList?: readonly string[];
  readonly jsonl?: readonly string[];
};

const RUNS = ['decomposition run', 'decomposition baseline', 'decomposition compare', 'example'];

/** Name of the page → its schema. */
export const PAGES: Readonly<Record<string, Page>> = {
  run: { schema: run, json: ['runs'] },
  'run-summary': { schema: runSummary, jsonList: ['runs'] },
  metrics: { schema: metricList, json: ['metrics'] },
  settings: { schema: settings, json: ['config'] },
  'decomposition-run': { schema: decompositionRun, json: RUNS },
  'decomposition-case': { schema: decompositionCase, jsonl: RUNS },
  'decomposition-result': {
    schema: decompositionResult,
    title: 'A baseline, and what the ledger of the prompts keeps of a run',
  },
  'decomposition-trend': { schema: decompositionTrend, json: ['decomposition trend'] },
  'decomposition-trend-row': { schema: decompositionTrendRow, jsonl: ['decomposition trend'] },
  'decomposition-investigation': { schema: investigation, json: ['decomposition investigate'] },
  'decomposition-extraction-line': {
    schema: extractionLine,
    title: 'A line of `assay decomposition extract`',
  },
  'workflow-import': { schema: importedPullRequest, json: ['workflow import pr'] },
  'workflow-seed': { schema: seededTruths, json: ['workflow seed'] },
  'workflow-draft': { schema: workflowDraft, json: ['workflow new'] },
  'workflow-mapping-suggestion': { schema: workflowMapping, json: ['workflow map'] },
  init: { schema: initResult, json: ['init'] },
  'golden-draft': { schema: goldenDraft, json: ['decomposition new'] },
  'golden-import': { schema: goldenImport, json: ['golden import'] },
  'golden-lint': { schema: goldenLint, json: ['decomposition lint'] },
  'golden-lint-finding': { schema: goldenFinding, jsonl: ['decomposition lint'] },
  prompts: { schema: promptList, json: ['decomposition prompt list'] },
  'prompt-version': { schema: promptVersion, jsonl: ['decomposition prompt list'] },
  'prompt-started': { schema: promptStarted, json: ['decomposition prompt new'] },
  'prompt-diff': { schema: promptDiff, json: ['decomposition prompt diff'] },
  'prompt-promotion': { schema: promptPromotion, json: ['decomposition prompt promote'] },
  'prompt-rollback': { schema: promptRollback, json: ['decomposition prompt rollback'] },
  'decomposition-synonyms': { schema: decompositionSynonyms, json: ['decomposition synonyms'] },
  production: { schema: production, json: ['production status'] },
  'production-span': { schema: productionSpan, jsonl: ['production status'] },
  'decomposition-queue': { schema: decompositionQueue, json: ['production rate'] },
  brief: { schema: brief, json: ['brief'] },
  experiment: { schema: experiment, json: ['production ab stop'] },
  'experiment-list': { schema: experimentList, json: ['production ab status'] },
  'experiment-started': { schema: experimentStarted, json: ['production ab start'] },
  'experiment-arm': { schema: experimentArm, title: 'Which prompt a key gets, as the server gives it' },
  'session-row': { schema: sessionRow, jsonList: ['sessions score'], jsonl: ['sessions score'] },
  'session-list': { schema: sessionList, json: ['sessions list', 'sessions list --by'] },
  'session-list-row': { schema: listedSession, jsonl: ['sessions list', 'sessions attention'] },
  'session-list-group': { schema: listedGroup, jsonl: ['sessions list --by'] },
  'session-explanation': { schema: explanation, json: ['sessions explain'] },
  'session-digest': { schema: digest, json: ['sessions digest'] },
  route: { schema: route, json: ['route'] },
  'route-choice': { schema: routeChoice, title: 'Which model one task should go to, as the server gives it' },
  'session-frontier': { schema: frontier, json: ['sessions frontier'] },
  'session-validation': { schema: validation, json: ['sessions validate'] },
  'session-judgements': { schema: sessionJudgements, json: ['sessions judge'] },
  'session-calibration': { schema: calibration, json: ['sessions calibrate'] },
  'session-attention': { schema: sessionAttention, json: ['sessions attention'] },
  'session-risks': { schema: sessionRisks, json: ['sessions risks'] },
  'session-risk': { schema: riskRow, jsonl: ['sessions risks'] },
  'session-event': { schema: sessionEvent, jsonl: ['sessions watch'] },
  'session-sent': { schema: sessionSent, json: ['sessions send'] },
  'session-roi': { schema: sessionRoi, json: ['sessions roi'] },
  'session-roi-row': { schema: roiRow, jsonl: ['sessions roi'] },
  'session-outcomes': { schema: sessionOutcomes, json: ['sessions outcomes'] },
  'session-outcome': { schema: outcomeRow, jsonl: ['sessions outcomes'] },
  'session-verifications': { schema: sessionVerifications, json: ['sessions verify'] },
  'session-verification': { schema: verifiedSession, jsonl: ['sessions verify'] },
  'session-sources': { schema: sessionSources, json: ['sessions sources'] },
  'session-source': { schema: sourceRow, jsonl: ['sessions sources'] },
  'session-skipped': { schema: sessionSkipped, json: ['sessions skipped'] },
  'session-skipped-row': { schema: skippedRow, jsonl: ['sessions skipped'] },
  'session-intents': { schema: sessionIntents, json: ['sessions intents train'] },
  'session-baselines': { schema: sessionBaselines, json: ['sessions baselines show'] },
  'session-baseline': { schema: baselineRow, jsonl: ['sessions baselines show'] },
  'session-baseline-fit': { schema: sessionBaselineFit, json: ['sessions baselines fit'] },
  'session-baseline-figure': { schema: fittedRow, jsonl: ['sessions baselines fit'] },
  'workflow-score-output': { schema: scoredReviews, json: ['workflow score'] },
  'workflow-score-row': { schema: scoreRow, jsonl: ['workflow score', 'workflow report --table metrics'] },
  'workflow-compare-output': { schema: workflowComparison, json: ['workflow compare'] },
  'workflow-report-output': { schema: workflowReport, json: ['workflow report'] },
  'workflow-report-experiment': { schema: experimentRow, jsonl: ['workflow report'] },
  'workflow-report-error': { schema: errorRow, jsonl: ['workflow report --table errors'] },
  'workflow-report-concern': { schema: concernRow, jsonl: ['workflow report --table concerns'] },
  'workflow-heatmap-output': { schema: workflowHeatmap, json: ['workflow heatmap'] },
  'workflow-heatmap-row': {
    schema: categoryRow,
    jsonl: ['workflow heatmap', 'workflow report --table categories'],
  },
  'workflow-history-output': { schema: workflowHistory, json: ['workflow history'] },
  'workflow-history-row': { schema: historyRow, jsonl: ['workflow history'] },
  'workflow-leaderboard-output': { schema: workflowLeaderboard, json: ['workflow leaderboard'] },
  'workflow-leaderboard-row': { schema: leaderboardRow, jsonl: ['workflow leaderboard'] },
  'workflow-leaderboard-pair': { schema: leaderboardPair, jsonl: ['workflow leaderboard --table pairs'] },
  'workflow-lint-output': { schema: workflowLint, json: ['workflow lint'] },
  'workflow-lint-row': { schema: lintRow, jsonl: ['workflow lint'] },
  'workflow-blind-assess-output': { schema: blindFindings, json: ['workflow blind assess'] },
  'workflow-blind-predict-output': { schema: blindErrors, json: ['workflow blind predict'] },
  'workflow-blind-match-output': { schema: blindMatches, json: ['workflow blind match'] },
  'workflow-blind-check-output': { schema: blindCheck, json: ['workflow blind check'] },
  'workflow-blind-status-output': { schema: blindStatus, json: ['workflow blind status'] },
  'workflow-blind-status-row': { schema: evaluatorProgress, jsonl: ['workflow blind status'] },
  'workflow-blind-verify-output': { schema: blindVerification, json: ['workflow blind verify'] },
  rating: { schema: rating, title: 'What somebody said of a session, a case or an output' },
  audit: { schema: auditList, json: ['audit list'] },
  'audit-verification': { schema: auditVerification, json: ['audit verify'] },
  tokens: { schema: tokenList, json: ['token list'] },
  export: { schema: storeExport, json: ['export'] },
  'store-status': { schema: storeStatus, json: ['store status'] },
  'store-migration': { schema: storeMigration, json: ['store migrate'] },
  'store-check': { schema: storeCheck, json: ['store check'] },
  'store-copy': { schema: storeCopy, json: ['store copy'] },
  'store-pruning': { schema: storePruning, json: ['store prune'] },
  overview: { schema: overview, title: 'Three instruments at a glance, as the server gives it' },
  'session-names': { schema: sessionNames, title: 'What kept sessions are called, as the server gives it' },
  'session-page': { schema: sessionPage, title: 'A page of kept sessions, as the server gives it' },
  'transcript-lines': { schema: transcriptLines, title: 'Lines of a transcript, as the server gives them' },
  'session-tree': { schema: sessionTree, title: 'A session with those it started, as the server gives it' },
  'session-ratings': { schema: sessionRatings, title: 'What was said of a session, as the server gives it' },
  'session-rated': { schema: sessionRated, title: 'What the server answers when a session is rated' },
  'rating-page': { schema: ratingPage, title: 'A page of ratings, as the server gives it' },
  'stored-validation': {
    schema: storedValidation,
    title: 'Q compared with stored ratings, as the server returns it',
  },
  alert: { schema: alert, title: 'Something that deserves attention' },
  'alert-event': { schema: alertEvent, title: 'That an alert fired or was resolved, as a webhook is told' },
  'alert-list': { schema: alertList, json: ['alerts list'] },
  'alert-story': {
    schema: alertStory,
    json: ['alerts show', 'alerts acknowledge', 'alerts silence', 'alerts resolve', 'alerts reopen'],
  },
  'production-check': { schema: productionCheck, json: ['production check'] },
  'run-list': { schema: runList, title: 'Stored runs, newest first' },
  'approval-list': { schema: approvalList, title: 'Falls that somebody let through, newest first' },
  'prompt-decisions': { schema: promptDecisions, title: 'What was decided about prompts, newest first' },
  'decomposition-activity': {
    schema: decompositionActivity,
    title: 'How extraction went, over the outputs of stored runs',
  },
  'decomposition-case-story': {
    schema: decompositionCaseStory,
    title: 'One case of a stored run: what was found, missed and invented, and its text',
  },
  'workflow-evaluations': {
    schema: workflowEvaluations,
    title: 'Experiments and blind evaluations below a folder',
  },
  'workflow-blind-desk': { schema: blindDesk, title: 'What lies before one blind evaluator now' },
  'workflow-blind-submitted': { schema: blindSubmitted, title: 'What became of blind answers' },
  'workflow-blind-started': { schema: blindStarted, title: 'A blind evaluation that has begun' },
};

/** The published JSON Schemas: file name → schema. */
export function wireSchemas(): ReadonlyMap<string, object> {
  return new Map(
    Object.entries(PAGES).map(([name, page]) => {
      const { $schema, ...rest } = z.toJSONSchema(page.schema, { io: 'output' });
      return [name, { $schema, title: titleOf(page), ...rest }];
    }),
  );
}

function titleOf({ title, json = [], jsonList = [], jsonl = [] }: Page): string {
  const say = (commands: readonly string[], format: string) =>
    commands.map((command) => `\`assay ${command} --format ${format}\``).join(', ');
  return [
    ...(title === undefined ? [] : [title]),
    ...(json.length > 0 ? [`What is printed by ${say(json, 'json')}`] : []),
    ...(jsonList.length > 0 ? [`One of the list that is printed by ${say(jsonList, 'json')}`] : []),
    ...(jsonl.length > 0 ? [`A line of ${say(jsonl, 'jsonl')}`] : []),
  ].join('; ');
}
