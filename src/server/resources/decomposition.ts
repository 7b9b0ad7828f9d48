import { resolve } from 'node:path';
import { z } from 'zod';
import {
  approvalList,
  decompositionActivity,
  decompositionCaseStory,
  decompositionRun,
  decompositionTrend,
} from '../../api/schema/decomposition.ts';
import { promptDecisions, promptList } from '../../api/schema/prompts.ts';
import { caseView } from '../../decomposition/views/case-view.ts';
import { activityView } from '../../decomposition/views/production-view.ts';
import { decisionsView, promptsView } from '../../decomposition/views/prompt-views.ts';
import { approvalsView, runNotes, runView } from '../../decomposition/views/run-view.ts';
import { listApprovals } from '../../operations/decomposition/baseline.ts';
import { compareRuns } from '../../operations/decomposition/compare-runs.ts';
import { DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import { listPromptDecisions, listPromptVersions } from '../../operations/decomposition/prompt-versions.ts';
import { readActivity } from '../../operations/decomposition/read-activity.ts';
import { readCase } from '../../operations/decomposition/read-case.ts';
import { readTrends } from '../../operations/decomposition/read-trends.ts';
import { cursorQuery, pageAfter, pageOfRecords } from '../paging.ts';
import { jsonRoute } from '../route.ts';
import type { Services } from '../services.ts';

const runId = z.string().min(1).max(200).describe('Id of a stored run; a unique prefix is enough');

export const DECOMPOSITION = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/decomposition/trend',
    summary: 'Trend of the gate metrics, from the history of the folder',
    scope: 'read',
    query: z.strictObject({ weekly: z.stringbool().default(false) }),
    answer: decompositionTrend,
    handle: async ({ query }, { folder, config }) =>
      readTrends({
        history: resolve(folder, DEFAULT_FILES.history),
        all: true,
        weekly: query.weekly,
        thresholds: config.decomposition,
      }),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/decomposition/activity',
    summary:
      'Errors, latency, cost and how much was extracted, by hour and day, over the outputs of stored runs',
    scope: 'read',
    query: z.strictObject({
      since: z.iso.datetime({ offset: true }).optional(),
      runs: z.coerce
        .number()
        .int()
        .min(1)
        .max(500)
        .default(100)
        .describe('The maximum number of runs, latest first'),
    }),
    answer: decompositionActivity,
    handle: async ({ query: { since, runs } }, { project }) => await readActivity({ runs, since }, project),
    view: async ({ query }, { project }) => activityView(await readActivity(query, project)),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/decomposition/compare',
    summary: 'Compares two stored runs case by case, with the verdict of the gate',
    scope: 'read',
    query: z.strictObject({
      a: runId,
      b: runId,
      insist: z.stringbool().default(false).describe('Compare even if the scorer or the golden cases differ'),
    }),
    answer: decompositionRun,
    handle: async ({ query: { a, b, insist } }, { project }) => {
      const suite = await compareRuns({ before: a, after: b, insist }, project);
      return { ...suite, notes: runNotes(suite) };
    },
    view: async ({ query: { a, b, insist } }, { project }) =>
      runView(await compareRuns({ before: a, after: b, insist }, project)),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/runs/{id}/cases/{case}',
    summary: 'One case of a run: its text, and what was found, missed and invented',
    scope: 'read',
    query: z.strictObject({
      output: z.coerce.number().int().min(1).default(1).describe('The output of the case that a view shows'),
    }),
    answer: decompositionCaseStory,
    handle: async ({ params }, services) => caseOf(params, services),
    view: async ({ params, query }, services) => caseView(await caseOf(params, services), query.output - 1),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/decomposition/prompts',
    summary: 'Every version of every prompt, and which one is in force',
    scope: 'read',
    answer: promptList,
    handle: async (_, { folder }) => listPromptVersions({ cwd: folder }),
    view: async (_, { folder }) => promptsView(listPromptVersions({ cwd: folder })),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/decomposition/prompts/decisions',
    summary: 'Decisions on prompts: promoted, held, rejected and rolled back, by whom and why, newest first',
    scope: 'read',
    answer: promptDecisions,
    handle: async (_, { folder }) => listPromptDecisions({ cwd: folder }),
    view: async (_, { folder }) => decisionsView(listPromptDecisions({ cwd: folder }).decisions),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/decomposition/approvals',
    summary: 'Approved or explained regressions, newest first',
    scope: 'read',
    query: cursorQuery,
    answer: approvalList,
    handle: async ({ query }, { project }) => {
      const found = await listApprovals(pageAfter(query), project);
      const { items, next } = pageOfRecords(found, query.limit, ({ at, approvalId }) => ({
        at,
        key: approvalId,
      }));
      return { items, next };
    },
    view: async ({ query }, { project }) =>
      approvalsView(await listApprovals({ ...pageAfter(query), limit: query.limit }, project)),
  }),
];

async function caseOf(params: { readonly id: string; readonly case: string }, services: Services) {
  const folder = services.isFolderSeen ? services.folder : undefined;
  const { golden: vocabulary } = services.config.decomposition;
  return readCase({ runId: params.id, caseId: params.case, folder, vocabulary }, services.project);
}
