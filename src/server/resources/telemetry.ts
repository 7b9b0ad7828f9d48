/** OTLP over HTTP, as the protocol has it: answers in the encoding of the request. */
import { AssayError } from '../../errors.ts';
import { requestOfSpan } from '../../operations/production/span-request.ts';
import type { ReceivedTelemetry } from '../../operations/session/session-intake.ts';
import type { TelemetryKind } from '../../session/live/telemetry.ts';
import { knownError, problemResponse } from '../problem.ts';
import { recordReceived } from '../production/record-received.ts';
import { rawRoute } from '../route.ts';
import { readBody } from '../security/read-body.ts';
import { encodePartialSuccess, encodeStatus } from './otlp-answer.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const telemetryRoute = (path: `/v1/${TelemetryKind}`, kind: TelemetryKind, what: string) =>
  rawRoute({
    method: 'POST',
    path,
    summary: `OpenTelemetry ${what} of agents and models (OTLP/HTTP, protobuf or JSON, gzip)`,
    scope: 'write',
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
        const known = knownError(error);
        if (known.code === 'INTERNAL') throw error;
        const { status, headers } = problemResponse(known);
        const retry = headers.get('retry-after');
        return answer(type, encodeStatus(type, known.message), status, retry);
      }
    },
  });

export const TELEMETRY = [
  telemetryRoute('/v1/traces', 'traces', 'spans'),
  telemetryRoute('/v1/logs', 'logs', 'log records'),
];

function typeOf(request: Request): typeof PROTOBUF | typeof JSON_TYPE {
  const [type] = (request.headers.get('content-type') ?? '').toLowerCase().split(';');
  if (type === PROTOBUF || type === JSON_TYPE) return type;
  throw new AssayError('REQUEST_INVALID', `the body must be ${PROTOBUF} or ${JSON_TYPE}`);
}

function sayPartial({ rejected }: ReceivedTelemetry): string {
  return rejected === 0 ? '' : `${rejected} spans have no trace id or span id and were not kept`;
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
