/** The blind protocol: the operations of `assay workflow blind`, in their order and with their refusals. */
import { z } from 'zod';
import {
  blindCheck,
  blindDesk,
  blindErrors,
  blindRevised,
  blindStarted,
  blindStatus,
  blindSubmitted,
  blindVerification,
} from '../../api/schema/workflow-blind.ts';
import { insideOf } from '../../files.ts';
import {
  checkBlind,
  errorsToPredict,
  handIn,
  handInRevisions,
  readDesk,
  startBlind,
  statusOfBlind,
  verifyBlind,
} from '../../operations/workflow/blind.ts';
import { biasView, statusView } from '../../workflow/views/blind-check.ts';
import { jsonRoute } from '../route.ts';
import type { Services } from '../services.ts';

const folder = z
  .string()
  .min(1)
  .max(4096)
  .describe('Of the evaluation, from the folder the server was started in');
const path = z.string().min(1).max(4096);

/** Names end up in the chain and in run files, where they are one line. */
const by = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'is one line')
  .transform((name) => name.normalize('NFC'))
  .describe('Who answers');

const answered = z.strictObject({
  folder,
  by,
  answers: z.array(z.unknown()).max(10_000).describe('In the format of a file for `--file`'),
});

const STEPS = {
  assess: ['assessments', 'Step 1: what each finding says, before the evaluator sees the ground truth'],
  predict: ['predictions', 'Step 2: which known errors the review will have caught'],
  match: ['matches', 'Step 3: which known error a finding matches, and why'],
} as const;

const OF_FOLDER = { isOfFolder: true, target: (body: { readonly folder: string }) => body.folder } as const;

const checkBody = z.strictObject({
  folder,
  by,
  without: z.array(by).max(100).default([]).describe('Evaluators to go on without'),
  leave_disputes: z.boolean().default(false),
});

function checked(body: z.output<typeof checkBody>, { folder: root, project }: Services) {
  const { without, leave_disputes: leaveDisputes } = body;
  const request = { folder: insideOf(root, body.folder), by: () => body.by, without, leaveDisputes };
  return checkBlind(request, project);
}

export const WORKFLOW_BLIND = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/blind/status',
    summary: 'The step of each evaluator and what is missing; no answers are shown',
    scope: 'read',
    query: z.strictObject({ folder }),
    answer: blindStatus,
    handle: async ({ query }, services) => statusOfBlind(insideOf(services.folder, query.folder)),
    view: async ({ query }, services) =>
      statusView(statusOfBlind(insideOf(services.folder, query.folder)), query.folder),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/blind/desk',
    summary: 'What one evaluator has to answer now; later steps stay hidden',
    scope: 'read',
    query: z.strictObject({ folder, by }),
    answer: blindDesk,
    handle: async ({ query }, services) => ({
      ...query,
      ...readDesk({ folder: insideOf(services.folder, query.folder), by: query.by }),
    }),
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/workflow/blind/start',
    summary: 'Freezes the findings and seals the ground truth',
    scope: 'write',
    audit: OF_FOLDER,
    status: 201,
    body: z.strictObject({
      folder,
      by,
      truth: path,
      runs: z.array(path).min(1).max(10_000).describe('Files or folders'),
      documents: path.optional(),
      evaluators: z.array(by).max(100).default([]),
    }),
    answer: blindStarted,
    handle: async ({ body }, services) => {
      const at = (name: string) => insideOf(services.folder, name);
      const started = startBlind(
        {
          inputs: {
            truth: at(body.truth),
            runs: body.runs.map(at),
            ...(body.documents !== undefined && { documents: at(body.documents) }),
            lineTolerance: services.config.workflow.lineTolerance,
            mapping: services.config.workflow.mapping,
          },
          folder: at(body.folder),
          by: body.by,
          evaluators: [...new Set(body.evaluators)],
          unsealedIn: services.sealedIn,
        },
        services.project,
      );
      return { ...started, folder: body.folder };
    },
  }),
  ...(['assess', 'predict', 'match'] as const).map((step) =>
    jsonRoute({
      method: 'POST',
      path: `/api/v1/workflow/blind/${STEPS[step][0]}`,
      summary: STEPS[step][1],
      scope: 'write',
      audit: OF_FOLDER,
      body: answered.extend({
        only_first: z
          .boolean()
          .default(false)
          .describe('Reject answers to questions that were answered before, instead of replacing them'),
      }),
      answer: blindSubmitted,
      handle: async ({ body: { folder: name, only_first: onlyFirst, ...body } }, services) =>
        handIn({ ...body, folder: insideOf(services.folder, name), step, onlyFirst }, services.project),
    }),
  ),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/workflow/blind/truth',
    summary: 'Shows the known errors to an evaluator who has sealed step 1, and records it',
    scope: 'write',
    audit: OF_FOLDER,
    body: z.strictObject({ folder, by }),
    answer: blindErrors,
    handle: async ({ body }, services) =>
      errorsToPredict({ folder: insideOf(services.folder, body.folder), by: body.by }, services.project),
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/workflow/blind/revisions',
    summary: 'Changes sealed assessments; each change is recorded as a sign of bias',
    scope: 'write',
    audit: OF_FOLDER,
    body: answered,
    answer: blindRevised,
    handle: async ({ body }, services) => ({
      changed: handInRevisions({ ...body, folder: insideOf(services.folder, body.folder) }, services.project),
    }),
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/workflow/blind/check',
    summary: 'Step 4: agreement, calibration and signs of bias; opens the results, which ends the evaluation',
    scope: 'write',
    audit: OF_FOLDER,
    body: checkBody,
    answer: blindCheck,
    handle: async ({ body }, services) => checked(body, services),
    view: async ({ body }, services) => biasView(checked(body, services), body.folder, true),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/workflow/blind/verify',
    summary: 'Verifies that the evaluation was not altered',
    scope: 'read',
    query: z.strictObject({ folder, receipt: z.string().max(200).optional() }),
    answer: blindVerification,
    handle: async ({ query: { receipt, ...query } }, services) =>
      verifyBlind({
        folder: insideOf(services.folder, query.folder),
        receipt,
      }),
  }),
];
