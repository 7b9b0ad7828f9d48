/**
 * Who did what through this server (docs/contributing/decisions/audit.md). A write is logged before it is acknowledged. Frequent and
 * refused requests are counted and logged once a minute, so that the log stays bounded.
 */
import { type AuditDraft, type AuditOrigin, AuditWriter } from '../../operations/audit/audit-writer.ts';
import type { Ports } from '../../operations/ports.ts';
import type { Log } from '../log.ts';
import type { Route } from '../route.ts';
import { type Access, type AccessRules, secretIn } from '../security/access.ts';
import { PROXY_HEADERS } from '../security/origin.ts';

export type AuditedRequest = {
  readonly who: string;
  readonly tokenId?: string | undefined;
  readonly origin: AuditOrigin;
  readonly what: string;
  readonly target?: string | undefined;
  readonly project?: string | undefined;
  readonly status: number;
};

type Counted = { readonly at: string; readonly request: AuditedRequest; times: number };

/** Names chosen by a client are cut to this length. */
const LONGEST = 200;
/** Above this number, counts are no longer separated by project. */
const MOST_COUNTED = 2_000;

export class AuditLog {
  readonly #ports: Pick<Ports, 'now' | 'identity'>;
  readonly #log: Log;
  readonly #writer: AuditWriter;
  readonly #used = new Map<string, { readonly day: string; readonly written: Promise<void> }>();
  readonly #counted = new Map<string, Counted>();
  #person: string | undefined;

  constructor(ports: Ports, log: Log) {
    this.#ports = ports;
    this.#log = log;
    this.#writer = new AuditWriter(() => ports.store());
  }

  /** Who started the server: without tokens, every request is theirs. */
  get person(): string {
    this.#person ??= this.#ports.identity();
    return this.#person;
  }

  /** Resolves when it is in the store. */
  write(request: AuditedRequest): Promise<void> {
    return this.#writer.write(draftOf(request, this.#now(), 1));
  }

  /** What the server does by itself. It goes on even if the entry cannot be written. */
  async note(what: string, target: string, project?: string): Promise<void> {
    try {
      await this.write({ who: 'assay serve', origin: 'server', what, target, project, status: 0 });
    } catch (error) {
      this.#warn(error);
    }
  }

  /** The first use of a token each day. A write waits until it is logged, a read does not. */
  async use(
    { tokenId, who = '', projects = [] }: Access,
    origin: AuditOrigin,
    isWrite: boolean,
  ): Promise<void> {
    if (tokenId === undefined) return;
    const day = this.#now().slice(0, 10);
    let use = this.#used.get(tokenId);
    if (use?.day !== day) {
      const project = projects.length === 1 ? projects[0] : undefined;
      const request = { who, tokenId, origin, what: 'token used', project, status: 200 };
      use = { day, written: this.write(request) };
      this.#used.set(tokenId, use);
      use.written.catch((error) => {
        this.#used.delete(tokenId);
        this.#warn(error);
      });
    }
    if (isWrite) await use.written;
  }

  count(request: AuditedRequest): void {
    const at = this.#now();
    const { target: _, project, ...fields } = request;
    const minute = at.slice(0, 16);
    const name = (whose: string | undefined) => JSON.stringify([minute, whose, Object.values(fields)]);
    const isFull = this.#counted.size >= MOST_COUNTED;
    const [key, entry] = isFull
      ? [name(undefined), { ...fields, target: undefined }]
      : [name(project), request];
    const known = this.#counted.get(key);
    if (known === undefined) this.#counted.set(key, { at, request: entry, times: 1 });
    else known.times += 1;
  }

  /** What was counted in minutes that are over, or in all of them. What cannot be written is tried again. */
  async flush(isAll = false): Promise<void> {
    const minute = this.#now().slice(0, 16);
    const over = [...this.#counted].filter(([, { at }]) => isAll || at.slice(0, 16) !== minute);
    for (const [key] of over) this.#counted.delete(key);
    await Promise.all(
      over.map(async ([key, counted]) => {
        const { request, at, times } = counted;
        try {
          await this.#writer.write(draftOf(request, at, times));
        } catch (error) {
          this.#counted.set(key, counted);
          this.#warn(error);
        }
      }),
    );
  }

  #now(): string {
    return this.#ports.now().toISOString();
  }

  #warn(error: unknown): void {
    this.#log('error', 'audit', { why: error instanceof Error ? error.message : String(error) });
  }
}

function draftOf(
  { status, target, tokenId, project, ...request }: AuditedRequest,
  at: string,
  times: number,
) {
  return {
    ...request,
    at,
    ...(tokenId !== undefined && { tokenId }),
    ...(target !== undefined && { target: target.slice(0, LONGEST) }),
    ...(project !== undefined && { project }),
    outcome: outcomeOf(status),
    status,
    times,
  };
}

function outcomeOf(status: number): AuditDraft['outcome'] {
  if (status < 400) return 'done';
  return status === 401 || status === 403 ? 'refused' : 'failed';
}

/** Routes whose requests each have an entry, written before the answer. */
export function isAudited({ scope, method, audit }: Route): boolean {
  return scope === 'write' && method !== 'GET' && audit?.isMany !== true;
}

type Answered = {
  readonly route: Route | undefined;
  readonly status: number;
  readonly method: string;
  readonly hasToken: boolean;
};

/** Frequent requests, failed or refused ones, and reads. */
export function isCounted({ route, status, method, hasToken }: Answered): boolean {
  // A page that is opened without a token asks for one.
  if (status === 401) return hasToken || method !== 'GET';
  if (status === 403) return true;
  return route?.scope === 'admin' || (route?.scope === 'write' && method !== 'GET');
}

/** Whose token was refused, as far as it can be known: an expired token's owner, else the claimed name. */
export function claimOf(
  authorization: string | undefined,
  { findToken }: AccessRules,
): Pick<AuditedRequest, 'who' | 'tokenId' | 'what' | 'target'> {
  const secret = secretIn(authorization);
  const found = secret === undefined ? undefined : findToken(secret);
  if (found?.isOver === true) return { who: found.who ?? '', tokenId: found.tokenId, what: 'token expired' };
  return { who: 'nobody', what: 'token refused', target: /^assay_([0-9a-f]{8})_/.exec(secret ?? '')?.[1] };
}

export function targetOf(
  { audit }: Route,
  params: Readonly<Record<string, string>>,
  body: unknown,
): string | undefined {
  return audit?.target?.(body as never) ?? Object.values(params)[0];
}

/** The class of the client's address; the address itself is not logged. */
export function auditOriginOf(address: string, headers: Headers): AuditOrigin {
  if (PROXY_HEADERS.some((name) => headers.has(name))) return 'proxy';
  const plain = address.replace(/^::ffff:(?=\d)/i, '').toLowerCase();
  if (plain === '' || plain === '::1' || plain.startsWith('127.')) return 'this machine';
  return PRIVATE.test(plain) ? 'private network' : 'internet';
}

const PRIVATE = /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/;
