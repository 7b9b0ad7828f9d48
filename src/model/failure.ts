import { stripVTControlCharacters } from 'node:util';
import { AssayError } from '../errors.ts';
import { mask } from '../secrets.ts';
import type { OpenModel } from './model.ts';

export type Failure = {
  readonly error: AssayError;
  readonly retry: boolean;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs?: number;
  /** Every call would fail in the same way: the key, the model or the address is wrong. */
  readonly forAll: boolean;
  /** It ended without an answer, so the provider may charge it. */
  readonly mayBeCharged: boolean;
};

const MAX_MESSAGE = 300;

/** Statuses after which the same request may succeed later. */
const RETRY_STATUS = [408, 409, 425, 429];
const REDIRECTS = 'it redirects to another address, where neither the key nor the text was sent';
const REFUSED_STATUS = [401, 403, 404];

export function failureOf(thrown: unknown, model: OpenModel, timeoutMs: number): Failure {
  const fields = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const status =
    'statusCode' in fields && typeof fields.statusCode === 'number' ? fields.statusCode : undefined;
  const redirects = status !== undefined && status >= 300 && status < 400;
  const answered = redirects || (status !== undefined && status >= 400);
  const fatal = answered && status < 500 && !RETRY_STATUS.includes(status);
  const retryAfterMs = retryAfter('responseHeaders' in fields ? fields.responseHeaders : undefined);
  return {
    // The cause contains the request with its headers, so it is dropped.
    error: new AssayError(
      'MODEL_CALL_FAILED',
      `${model.spec} ${answered ? `answered ${status}: ` : ''}${redirects ? REDIRECTS : sayWhy(thrown, timeoutMs, model.secrets)}`,
      redirects
        ? {
            remedy: [
              { say: 'Name the address that it leads to, if you trust it', options: { 'base-url': true } },
            ],
          }
        : {},
    ),
    retry: !fatal,
    retryAfterMs,
    forAll: redirects || (answered && REFUSED_STATUS.includes(status)),
    mayBeCharged: !answered && !isUnsent(thrown),
  };
}

/** A server that does not know how to hold a model to a schema says so with one of these words. */
const SCHEMA_WORDS =
  /response_?format|json_?schema|structured.?output|output_?(config|format)|response_?schema/i;

export function refusesSchema(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null || !('statusCode' in thrown)) return false;
  const { statusCode } = thrown;
  if (statusCode !== 400 && statusCode !== 422 && statusCode !== 501) return false;
  const body = 'responseBody' in thrown ? String(thrown.responseBody) : '';
  return SCHEMA_WORDS.test(`${thrown instanceof Error ? thrown.message : ''} ${body}`);
}

function sayWhy(thrown: unknown, timeoutMs: number, secrets: readonly string[]): string {
  if (isTimeout(thrown)) return `did not answer within ${timeoutMs / 1000} s`;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const [line = ''] = mask(stripVTControlCharacters(message), secrets).trim().split('\n');
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line || 'no reason was given';
}

function isTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'TimeoutError';
}

function isUnsent(thrown: unknown): boolean {
  const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error && 'code' in cause && codes.includes(String(cause.code));
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfter(headers: unknown, now: number = Date.now()): number | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const at = (name: string): string =>
    Object.hasOwn(headers, name) ? String((headers as Record<string, unknown>)[name]).trim() : '';
  const ms = at('retry-after-ms');
  if (/^\d+(\.\d+)?$/.test(ms)) return Number(ms);
  const after = at('retry-after');
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000;
  const date = /^[a-z]{3}/i.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
