import { z } from 'zod';
import { decodeDecomposition } from '../../api/encode/decomposition-record.ts';
import { encodeProduction } from '../../api/encode/production.ts';
import { decompositionsRecorded, sentDecomposition } from '../../api/schema/decomposition-record.ts';
import { production } from '../../api/schema/production.ts';
import { readProduction } from '../../operations/production/read-production.ts';
import { recordReceived } from '../production/record-received.ts';
import { jsonRoute } from '../route.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MOST_AT_ONCE = 1000;

const period = z.strictObject({
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  by: z.enum(['minute', 'hour', 'day']).default('hour'),
  prompt_version: z.string().min(1).max(200).optional(),
  model: z.string().min(1).max(200).optional(),
});

export const DECOMPOSITIONS = [
  jsonRoute({
    method: 'POST',
    path: '/api/v1/decompositions',
    summary: 'Requests of a decomposition service in production, one or many; each is kept once',
    scope: 'write',
    maxBodyBytes: MAX_BODY_BYTES,
    body: z.union([sentDecomposition, z.array(sentDecomposition).min(1).max(MOST_AT_ONCE)]),
    answer: decompositionsRecorded,
    status: 201,
    handle: async ({ body }, services) => {
      const sent = Array.isArray(body) ? body : [body];
      const recorded = await recordReceived(
        sent.map((one) => ({ record: decodeDecomposition(one), text: one.text, output: one.output })),
        services,
      );
      return { format: 'assay-decompositions-recorded' as const, version: 1 as const, ...recorded };
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/production',
    summary: 'How the service did: operational metrics by time, version and model, and what its sample says',
    scope: 'read',
    query: period,
    answer: production,
    handle: async ({ query: { since, until, by, model, prompt_version: promptVersion } }, { project }) => {
      const times = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
      return encodeProduction(await readProduction({ by, promptVersion, model, ...times }, project));
    },
  }),
];
