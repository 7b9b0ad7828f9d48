/** What agents and programs send while they are at work: lines of a session, and OTLP over HTTP as the protocol has it. */
import { z } from 'zod';
import type { sessionLines } from '../../api/schema/session-event.ts';
import { AssayError } from '../../errors.ts';
import { requestOfSpan } from '../../operations/production/span-request.ts';
import type { ReceivedTelemetry } from '../../operations/session/session-intake.ts';
import type { TelemetryKind } from '../../session/live/telemetry.ts';
import { asAssayError, problemResponse } from '../problem.ts';
import { recordReceived } from '../record-received.ts';
import { rawRoute } from '../route.ts';
import { keyNeeded } from '../security/access.ts';
import { readBody } from '../security/read-body.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const LINE_TYPES = ['application/x-ndjson', 'application/jsonl'];
const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const telemetryRoute = (path: `/v1/${TelemetryKind}`, kind: TelemetryKind, what: string) =>
  rawRoute({
    method: 'POST',
    path,
    summary: `OpenTelemetry ${what} of agents and models (OTLP/HTTP, protobuf or JSON, gzip)`,
    scope: 'write',
    isIntake: true,
    audit: { isMany: true },
    maxBodyBytes: MAX_BODY_BYTES,
    consumes: [PROTOBUF, JSON_TYPE],
    produces: `${PROTOBUF}, ${JSON_TYPE}`,
    handle: async ({ request }, services) => {
      const { live, sessions } = services;
      const type = typeOf(request);
      try {
        const body = await readBody(request, MAX_BODY_BYTES);
        const encoding = type === PROTOBUF ? 'protobuf' : 'json';
        const received = await live.intake.telemetry(kind, encoding, body, sessions.now());
        const requests = received.requests.flatMap((span) => requestOfSpan(span) ?? []);
        if (requests.length > 0) await recordReceived(requests, services);
        return answer(type, encodePartialSuccess(type, kind, received, sayPartial(received)), 200);
      } catch (error) {
        const known = asAssayError(error);
        if (known.code === 'INTERNAL') throw error;
        const { status, headers } = problemResponse(known);
        const retry = headers.get('retry-after');
        return answer(type, encodeStatus(type, known.message), status, retry);
      }
    },
  });

export const INTAKE = [
  rawRoute({
    method: 'POST',
    path: '/api/v1/sessions/{id}/events',
    summary: 'Appends transcript lines, in any supported format, to a live session',
    scope: 'write',
    isIntake: true,
    audit: { isMany: true },
    query: z.strictObject({
      offset: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Byte offset of these lines in the session; lines already stored are not added again'),
      ended: z.enum(['true', 'false']).default('false').describe('`true`: the session has ended'),
    }),
    maxBodyBytes: MAX_BODY_BYTES,
    consumes: LINE_TYPES,
    produces: 'application/json',
    handle: async ({ params, query, request, access }, { live }) => {
      // Comparing with what is stored would tell what that is.
      if (query.offset !== undefined && access.scope === 'send')
        throw keyNeeded('lines with `offset` need the key of the server or a token');
      const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';');
      if (!LINE_TYPES.includes(type))
        throw new AssayError('REQUEST_INVALID', `the body must be ${LINE_TYPES.join(' or ')}`);
      const bytes = await readBody(request, MAX_BODY_BYTES);
      const id = request.headers.get('idempotency-key') ?? undefined;
      const stored = await live.intake.lines(
        { session: params.id, bytes, offset: query.offset, id },
        query.ended === 'true',
      );
      const body: z.infer<typeof sessionLines> = {
        format: 'assay-session-lines',
        version: 1,
        session_id: params.id,
        length: stored.length,
        added: stored.added,
      };
      return Response.json(body, { headers: { 'cache-control': 'no-store' } });
    },
  }),
  telemetryRoute('/v1/traces', 'traces', 'spans'),
  telemetryRoute('/v1/logs', 'logs', 'log records'),
];

function typeOf(request: Request): typeof PROTOBUF | typeof JSON_TYPE {
  const [type] = (request.headers.get('content-type') ?? '').toLowerCase().split(';');
  if (type === PROTOBUF || type === JSON_TYPE) return type;
  throw new AssayError('REQUEST_INVALID', `the body must be ${PROTOBUF} or ${JSON_TYPE}`);
}

function sayPartial({ rejected }: ReceivedTelemetry): string {
  return rejected === 0 ? '' : `${rejected} spans have no trace id or span id and were not stored`;
}

function answer(type: string, body: Buffer, status: number, retry?: string | null): Response {
  return new Response(new Uint8Array(body), {
    status,
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      ...(retry ? { 'retry-after': retry } : {}),
    },
  });
}

/** Empty when everything was accepted. */
function encodePartialSuccess(
  type: string,
  kind: TelemetryKind,
  { rejected }: ReceivedTelemetry,
  message: string,
): Buffer {
  const isJson = type === 'application/json';
  if (rejected === 0) return Buffer.from(isJson ? '{}' : '');
  const name = kind === 'traces' ? 'rejectedSpans' : 'rejectedLogRecords';
  if (isJson)
    return Buffer.from(
      JSON.stringify({ partialSuccess: { [name]: String(rejected), errorMessage: message } }),
    );
  return field(1, Buffer.concat([Buffer.from([0x08]), varint(rejected), field(2, Buffer.from(message))]));
}

/** `google.rpc.Status`: what went wrong. */
function encodeStatus(type: string, message: string): Buffer {
  return type === 'application/json'
    ? Buffer.from(JSON.stringify({ message }))
    : field(2, Buffer.from(message));
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([number * 8 + 2]), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
