import { z } from 'zod';
import type { sessionLines } from '../../api/schema/session-event.ts';
import { AssayError } from '../../errors.ts';
import { rawRoute } from '../route.ts';
import { readBody } from '../security/read-body.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const TYPES = ['application/x-ndjson', 'application/jsonl'];

export const SESSION_EVENTS = [
  rawRoute({
    method: 'POST',
    path: '/api/v1/sessions/{id}/events',
    summary: 'Lines of a transcript in any format that is read, appended to a session while it goes on',
    scope: 'write',
    audit: { isMany: true },
    query: z.strictObject({
      offset: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Bytes of this session before these lines; what is there already is not added again'),
      ended: z.enum(['true', 'false']).default('false').describe('`true`: the session is over'),
    }),
    maxBodyBytes: MAX_BODY_BYTES,
    consumes: TYPES,
    produces: 'application/json',
    handle: async ({ params, query, request }, { live }) => {
      const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';');
      if (!TYPES.includes(type))
        throw new AssayError('REQUEST_INVALID', `the body must be ${TYPES.join(' or ')}`);
      const bytes = await readBody(request, MAX_BODY_BYTES);
      const id = request.headers.get('idempotency-key') ?? undefined;
      const kept = await live.intake.lines(
        { session: params.id, bytes, offset: query.offset, id },
        query.ended === 'true',
      );
      const told: z.infer<typeof sessionLines> = {
        format: 'assay-session-lines',
        version: 1,
        session_id: params.id,
        length: kept.length,
        added: kept.added,
      };
      return Response.json(told, { headers: { 'cache-control': 'no-store' } });
    },
  }),
];
