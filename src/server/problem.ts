/** Errors as problem details (RFC 9457), with our codes. */
import { z } from 'zod';
import { AssayError, ERRORS, type ErrorCode } from '../errors.ts';
import { askersRemedy } from '../report/regression-words.ts';

export const problem = z.strictObject({
  type: z.string().describe('urn:assay:error: and the code'),
  title: z.string().describe('The kind of error'),
  status: z.number(),
  detail: z.string().describe('What happened and where'),
  code: z.string().describe('The code in the list of errors'),
  remedy: z.string().describe('What to do about it'),
});

/** Everything else is a fault of ours or of this machine: 500. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  REQUEST_INVALID: 400,
  USAGE: 400,
  TOKEN_NEEDED: 401,
  REQUEST_REFUSED: 403,
  NOT_FOUND: 404,
  FOLDER_UNSEEN: 404,
  OUTSIDE: 403,
  SESSION_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  CASE_NOT_FOUND: 404,
  EXPERIMENT_NOT_FOUND: 404,
  DECOMPOSITION_NOT_FOUND: 404,
  WORKFLOW_NOT_FOUND: 404,
  ALERT_NOT_FOUND: 404,
  ALERT_STATE: 409,
  FILE_NOT_FOUND: 404,
  STORE_CONFLICT: 409,
  FILE_CHANGED: 409,
  BLIND_ORDER: 409,
  BLIND_TAMPERED: 409,
  REQUEST_TOO_LARGE: 413,
  INPUT_INVALID: 422,
  FILE_TOO_LARGE: 422,
  TOO_MANY_REQUESTS: 429,
  STORE_BUSY: 503,
  STORE_FULL: 503,
  STORE_UNREACHABLE: 503,
  STORE_UNREADABLE: 503,
  INTAKE_FULL: 503,
  FILE_BUSY: 503,
  OUTPUT_FAILED: 503,
  BLIND_BUSY: 503,
  STOPPED: 503,
};

/** Seconds after which asking again makes sense. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  TOO_MANY_REQUESTS: 1,
  STORE_BUSY: 1,
  STORE_UNREACHABLE: 1,
  FILE_BUSY: 1,
  BLIND_BUSY: 1,
  STOPPED: 1,
  STORE_FULL: 30,
  OUTPUT_FAILED: 30,
  STORE_UNREADABLE: 30,
  INTAKE_FULL: 60,
};

function statusOf(code: ErrorCode): number {
  return STATUS[code] ?? 500;
}

/** Internal errors go to the log, never to the client. */
export function asAssayError(error: unknown): AssayError {
  if (error instanceof AssayError && error.code !== 'INTERNAL') return error;
  return new AssayError('INTERNAL', 'unexpected error; see the server log for details', { cause: error });
}

export function problemResponse(error: AssayError, status = statusOf(error.code)): Response {
  const body: z.infer<typeof problem> = {
    type: `urn:assay:error:${error.code}`,
    title: ERRORS[error.code].what,
    status,
    detail: error.message,
    code: error.code,
    remedy: askersRemedy(error),
  };
  const retry = RETRY_AFTER[error.code];
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(retry !== undefined && { 'retry-after': String(retry) }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
  });
}
