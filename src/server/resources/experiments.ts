import { resolve } from 'node:path';
import { z } from 'zod';
import {
  experiment,
  experimentArm,
  experimentList,
  experimentStarted,
} from '../../api/schema/experiments.ts';
import { experimentsView } from '../../decomposition/views/experiment-views.ts';
import { readExperiments, startExperiment, stopExperiment } from '../../operations/production/experiments.ts';
import { assignKey } from '../../operations/production/find-request.ts';
import { jsonRoute } from '../route.ts';

const name = z.string().min(1).max(80);

export const EXPERIMENTS = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/experiments',
    summary: 'Prompt experiments in production with their current results, newest first',
    scope: 'read',
    answer: experimentList,
    handle: async (_, { project, folder }) => ({
      experiments: await readExperiments({ cwd: folder }, project),
    }),
    view: async (_, { project, folder }) => experimentsView(await readExperiments({ cwd: folder }, project)),
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/experiments',
    summary: 'Starts an experiment with two versions of a prompt; the plan is recorded in the prompt ledger',
    scope: 'write',
    audit: { isOfFolder: true, target: (body: { readonly candidate: string }) => body.candidate },
    body: z.strictObject({
      candidate: name,
      control: name.optional().describe('By default the version in force'),
      id: name.optional(),
      share: z.number().optional(),
      primary: z.enum(['acceptable', 'thumbs', 'verified-quotes', 'confidence']).optional(),
      confidence: z.number().optional(),
      smallest_effect: z.number().optional(),
      guards: z
        .strictObject({ errors: z.number(), latency_ms: z.number(), cost_usd: z.number() })
        .partial()
        .optional(),
    }),
    answer: experimentStarted,
    status: 201,
    handle: async ({ body: { smallest_effect, guards, ...rest } }, { project, folder }) => {
      const limits = { errors: guards?.errors, latencyMs: guards?.latency_ms, costUsd: guards?.cost_usd };
      const started = await startExperiment(
        {
          ...rest,
          prompts: resolve(folder, 'prompts'),
          smallestEffect: smallest_effect,
          guards: Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)),
        },
        project,
      );
      return started;
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/experiments/{id}',
    summary: 'One experiment: its arms, guard rails and current result',
    scope: 'read',
    answer: experiment,
    handle: async ({ params }, { project, folder }) => {
      const [one] = await readExperiments({ cwd: folder, id: params.id }, project);
      // An id that there is none of is an error of the operation.
      return one as NonNullable<typeof one>;
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/experiments/{id}/arm',
    summary: 'The prompt for a key and the fields to send with its records; always the same for the same key',
    scope: 'read',
    query: z.strictObject({ key: z.string().min(1).max(1000) }),
    answer: experimentArm,
    handle: async ({ params, query }, { folder }) =>
      assignKey({ cwd: folder, id: params.id, key: query.key }),
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/experiments/{id}/stop',
    summary: 'Ends an experiment; its result is recorded in the prompt ledger',
    scope: 'write',
    audit: { isOfFolder: true },
    body: z.strictObject({
      reason: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('Required when the experiment has no result yet'),
    }),
    answer: experiment,
    handle: async ({ params, body }, { project, folder }) =>
      stopExperiment({ prompts: resolve(folder, 'prompts'), id: params.id, ...body }, project),
  }),
];
