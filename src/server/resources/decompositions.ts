import { z } from 'zod';
import { decodeDecomposition } from '../../api/decomposition-record.ts';
import { decompositionsRecorded, sentDecomposition } from '../../api/schema/decomposition-record.ts';
import { production, productionDrift } from '../../api/schema/production.ts';
import { driftView, productionView } from '../../decomposition/views/production-view.ts';
import { readActivity } from '../../operations/decomposition/read-activity.ts';
import type { Ports } from '../../operations/ports.ts';
import { readDrift } from '../../operations/production/read-drift.ts';
import { readProduction } from '../../operations/production/read-production.ts';
import { recordReceived } from '../record-received.ts';
import { jsonRoute } from '../route.ts';
import type { Services } from '../services.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MOST_AT_ONCE = 1000;

const MINUTE_MS = 60_000;

const period = z.strictObject({
  last_minutes: z.coerce
    .number()
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .describe('The last N minutes, instead of `since`'),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  by: z.enum(['minute', 'hour', 'day']).default('hour'),
  prompt_version: z.string().min(1).max(200).optional(),
  model: z.string().min(1).max(200).optional(),
});

function minutesAgo(minutes: number, now: Date): string {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) - minutes + 1) * MINUTE_MS).toISOString();
}

const drifted = period
  .pick({ prompt_version: true, model: true })
  .extend({ baseline_since: z.iso.datetime({ offset: true }).optional() });

/** The number of golden runs to compare with production. */
const GOLDEN_RUNS = 100;

function productionFor(query: z.output<typeof period>, { project, folder, isFolderSeen }: Services) {
  const { until, by, model, prompt_version: promptVersion, last_minutes: last } = query;
  const since = last === undefined ? query.since : minutesAgo(last, project.now());
  const cwd = isFolderSeen ? folder : undefined;
  return readProduction({ by, promptVersion, model, since, until, cwd }, project);
}

function driftFor(query: z.output<typeof drifted>, project: Ports) {
  const { model, prompt_version: promptVersion, baseline_since: baselineSince } = query;
  return readDrift({ baselineSince, promptVersion, model }, project);
}

export const DECOMPOSITIONS = [
  jsonRoute({
    method: 'POST',
    path: '/api/v1/decompositions',
    summary: 'Records one or many requests of a decomposition service in production; duplicates are ignored',
    scope: 'write',
    isIntake: true,
    audit: { isMany: true },
    maxBodyBytes: MAX_BODY_BYTES,
    body: z.union([sentDecomposition, z.array(sentDecomposition).min(1).max(MOST_AT_ONCE)]),
    answer: decompositionsRecorded,
    status: 201,
    handle: async ({ body }, services) => {
      const sent = Array.isArray(body) ? body : [body];
      return recordReceived(
        sent.map((one) => ({ record: decodeDecomposition(one), text: one.text, output: one.output })),
        services,
      );
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/production',
    summary: 'Operational metrics of the service by time, version and model, and quality from its sample',
    scope: 'read',
    query: period,
    answer: production,
    handle: ({ query }, services) => productionFor(query, services),
    view: async ({ query }, services) => {
      const { whole } = await readActivity({ runs: GOLDEN_RUNS }, services.project);
      const golden = whole.outputs === 0 ? undefined : whole;
      return productionView(await productionFor(query, services), {}, golden);
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/production/drift',
    summary: 'Drift: whether the last day of the service differs from the week before',
    scope: 'read',
    query: drifted,
    answer: productionDrift,
    handle: ({ query }, { project }) => driftFor(query, project),
    view: async ({ query }, { project }) => driftView(await driftFor(query, project)),
  }),
];
