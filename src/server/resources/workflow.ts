import { z } from 'zod';
import {
  workflowComparison,
  workflowHeatmap,
  workflowHistory,
  workflowLeaderboard,
  workflowMatrix,
  workflowReport,
} from '../../api/schema/workflow.ts';
import { workflowEvaluations } from '../../api/schema/workflow-blind.ts';
import { insideOf } from '../../files.ts';
import { refuseSealed, refuseSealedExperiment } from '../../operations/workflow/blind.ts';
import { compareWorkflows } from '../../operations/workflow/compare-workflows.ts';
import { COMPARE_DEFAULTS } from '../../operations/workflow/defaults.ts';
import { findEvaluations } from '../../operations/workflow/find-evaluations.ts';
import { mapCategories } from '../../operations/workflow/map-categories.ts';
import { rankWorkflows } from '../../operations/workflow/rank-workflows.ts';
import { readHistory } from '../../operations/workflow/read-history.ts';
import { reportExperiment } from '../../operations/workflow/report-experiment.ts';
import { compareView } from '../../workflow/views/comparison.ts';
import { evaluationsView } from '../../workflow/views/evaluations.ts';
import { historyView } from '../../workflow/views/history.ts';
import { leaderboardView } from '../../workflow/views/leaderboard.ts';
import { reportView } from '../../workflow/views/report.ts';
import { jsonRoute } from '../route.ts';
import type { Services } from '../services.ts';

const path = z.string().max(4096).describe('Of an experiment, from the folder the server was started in');
const workflow = z.string().min(1).max(1000);
const oneExperiment = z.strictObject({ experiment: path });

/**
 * Reads nothing outside the folder, neither named in the request nor in the experiment, and nothing that rests on a
 * sealed ground truth.
 */
function inputsOf(path: string, { folder, config }: Services) {
  const { lineTolerance, mapping } = config.workflow;
  const experiment = insideOf(folder, path);
  refuseSealedExperiment(folder, experiment);
  return { experiment, within: folder, lineTolerance, mapping };
}

function weighing({ config }: Services) {
  const { components } = COMPARE_DEFAULTS;
  return { components, weights: config.workflow.weights };
}

const reportRequest = oneExperiment.extend({
  baseline: workflow
    .optional()
    .describe('The workflow that the others are compared with; by default the first'),
});

function report({ experiment, baseline }: z.output<typeof reportRequest>, services: Services) {
  return reportExperiment({
    inputs: inputsOf(experiment, services),
    baseline,
    ...weighing(services),
  });
}

const sidesRequest = z.strictObject({
  experiment: path
    .optional()
    .describe('An experiment that contains both; by default both are looked up in the stored scores'),
  a: workflow.describe('The baseline'),
  b: workflow.describe('The candidate'),
  insist: z.stringbool().default(false).describe('Compare even if the ground truth or the matcher differs'),
});

async function compared({ experiment, a, b, insist }: z.output<typeof sidesRequest>, services: Services) {
  const from = experiment === undefined ? 'store' : inputsOf(experiment, services);
  const sides = { baseline: a, candidate: b, insist, from } as const;
  const found = await compareWorkflows(
    { ...COMPARE_DEFAULTS, ...weighing(services), ...sides },
    services.project,
  );
  const { before, after } = found.comparison;
  refuseSealed(
    services.sealedIn,
    [...before.runs, ...after.runs].map(({ truthHash }) => truthHash),
  );
  return found;
}

export const WORKFLOW = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/experiments',
    summary: 'Experiments and blind evaluations below the folder the server was started in',
    scope: 'read',
    answer: workflowEvaluations,
    handle: async (_, { folder }) => findEvaluations(folder),
    view: async (_, { folder }) => evaluationsView(findEvaluations(folder)),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/report',
    summary: 'A whole experiment: scores side by side, errors across runs, what to fix, which claims hold',
    scope: 'read',
    query: reportRequest,
    answer: workflowReport,
    handle: async ({ query }, services) => report(query, services),
    view: async ({ query }, services) => reportView(report(query, services)),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/leaderboard',
    summary: 'Ranks workflows over all tasks of an experiment, and shows which differ clearly',
    scope: 'read',
    query: oneExperiment,
    answer: workflowLeaderboard,
    handle: async ({ query }, services) => rankWorkflows({ inputs: inputsOf(query.experiment, services) }),
    view: async ({ query }, services) =>
      leaderboardView(rankWorkflows({ inputs: inputsOf(query.experiment, services) })),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/heatmap',
    summary: 'Detection by error category for each workflow of an experiment',
    scope: 'read',
    query: oneExperiment,
    answer: workflowHeatmap,
    handle: async ({ query }, services) => mapCategories({ inputs: inputsOf(query.experiment, services) }),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/matrix',
    summary: 'Which runs of an experiment found each error: always, sometimes or never',
    scope: 'read',
    query: oneExperiment,
    answer: workflowMatrix,
    handle: async ({ query }, services) => report(query, services),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/compare',
    summary: 'Is the new version of a review better, or is the difference noise?',
    scope: 'read',
    query: sidesRequest,
    answer: workflowComparison,
    handle: async ({ query }, services) => await compared(query, services),
    view: async ({ query }, services) => {
      const { comparison, notes, known } = await compared(query, services);
      return compareView(comparison, notes, undefined, known);
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/history',
    summary: 'Stored scores of workflows as series over time',
    scope: 'read',
    query: z.strictObject({ earlier: z.stringbool().default(false) }),
    answer: workflowHistory,
    handle: async ({ query }, { project }) => await readHistory({ earlier: query.earlier }, project),
    view: async ({ query }, { project }) =>
      historyView(await readHistory({ earlier: query.earlier }, project)),
  }),
];
