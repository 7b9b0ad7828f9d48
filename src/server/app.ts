/** The server without a socket: a request in, an answer out. */
import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { AssayError } from '../errors.ts';
import type { AuditOrigin } from '../operations/audit/audit-writer.ts';
import {
  type AuditedRequest,
  auditOriginOf,
  claimOf,
  isAudited,
  isCounted,
  targetOf,
} from './audit/audit-log.ts';
import { asAssayError, problemResponse } from './problem.ts';
import { ROUTES } from './resources/resources.ts';
import { type JsonRoute, parsed, type Route, VIEW_TYPE } from './route.ts';
import { scopedServices } from './scoped-services.ts';
import {
  type Access,
  type AccessRules,
  accessOf,
  allowsStill,
  demand,
  demandAll,
  projectWritten,
} from './security/access.ts';
import type { ServerLimits, TakeRequest } from './security/limits.ts';
import { checkOrigin, type OriginRules, SECURITY_HEADERS } from './security/origin.ts';
import { readBody } from './security/read-body.ts';
import type { ServerServices } from './services.ts';
import type { ServeFile } from './static.ts';

export type AppParts = {
  readonly services: ServerServices;
  readonly access: AccessRules;
  readonly origin: OriginRules;
  readonly takeRequest: TakeRequest;
  readonly serveFile: ServeFile;
};

/** What Node's server passes on about a connection; a request without a socket has none. */
type Bindings = { readonly incoming?: { readonly socket: { readonly remoteAddress?: string } } };
type Variables = {
  route?: string;
  who?: string;
  asked?: Route;
  access?: Access;
  /** The project that is written to. */
  project?: string | undefined;
  /** The audit log has it. */
  isWritten?: true;
};
type App = Hono<{ Bindings: Bindings; Variables: Variables }>;
type Asking = Context<{ Bindings: Bindings; Variables: Variables }>;

export function makeApp(parts: AppParts): App {
  const app: App = new Hono();
  app.use(async (asking, next) => {
    const start = performance.now();
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) asking.res.headers.set(name, value);
    parts.services.log('info', 'request', {
      method: asking.req.method,
      // The pattern, because an address may contain a user's text.
      route: asking.get('route') ?? 'none',
      status: asking.res.status,
      ms: Math.round(performance.now() - start),
      who: asking.get('who'),
    });
    countAnswer(asking, parts);
  });
  app.use(async (asking, next) => {
    checkOrigin(asking.req.raw, parts.origin);
    parts.takeRequest(askerOf(asking, parts.access));
    await next();
  });
  for (const route of ROUTES)
    app.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), (asking) => answer(asking, route, parts));
  app.notFound((asking) => withoutRoute(asking, parts));
  app.onError((error, asking) => {
    const known = asAssayError(error);
    if (known.code === 'INTERNAL')
      parts.services.log('error', 'fault', { route: asking.get('route'), stack: stackOf(error) });
    return problemResponse(known);
  });
  return app;
}

function clientOf(asking: Asking): string {
  return asking.env?.incoming?.socket.remoteAddress ?? '';
}

/** Whoever has the key or a good token is not slowed down by requests without one from the same address. */
function askerOf(asking: Asking, rules: AccessRules): string {
  try {
    const { scope, tokenId } = accessOf(asking.req.header('authorization'), rules, true);
    return scope === 'send' ? clientOf(asking) : `token ${tokenId}`;
  } catch {
    return clientOf(asking);
  }
}

function originIn(asking: Asking): AuditOrigin {
  return auditOriginOf(clientOf(asking), asking.req.raw.headers);
}

/** Before it is acknowledged: what cannot be written down has failed. */
async function recordCommand(
  asking: Asking,
  route: JsonRoute,
  body: unknown,
  parts: AppParts,
): Promise<void> {
  const { who = parts.services.audit.person, tokenId } = asking.get('access') ?? {};
  await parts.services.audit.write({
    who,
    tokenId,
    origin: originIn(asking),
    what: `${route.method} ${route.path}`,
    target: targetOf(route, asking.req.param() as Readonly<Record<string, string>>, body),
    project:
      asking.get('project') ?? (route.audit?.isOfFolder === true ? parts.services.config.project : undefined),
    status: route.status ?? 200,
  });
  asking.set('isWritten', true);
}

function countAnswer(asking: Asking, { services: { audit }, access: rules }: AppParts): void {
  const route = asking.get('asked');
  const { status } = asking.res;
  const authorization = asking.req.header('authorization');
  if (asking.get('isWritten') === true) return;
  if (!isCounted({ route, status, method: asking.req.method, hasToken: authorization !== undefined })) return;
  const { who = audit.person, tokenId, projects = [] } = asking.get('access') ?? {};
  const requester: Pick<AuditedRequest, 'who' | 'tokenId' | 'what' | 'target'> =
    status === 401
      ? claimOf(authorization, rules)
      : {
          who: asking.get('access') === undefined ? 'nobody' : who,
          tokenId,
          what: route === undefined ? 'request' : `${route.method} ${route.path}`,
          target: Object.values(asking.req.param() as Readonly<Record<string, string>>)[0],
        };
  const project = asking.get('project') ?? (projects.length === 1 ? projects[0] : undefined);
  audit.count({ ...requester, origin: originIn(asking), project, status });
}

async function answer(asking: Asking, route: Route, parts: AppParts): Promise<Response> {
  asking.set('route', `${route.method} ${route.path}`);
  asking.set('asked', route);
  const access = accessFor(asking, route, parts.access);
  if (access.who !== undefined) asking.set('who', access.who);
  const request = asking.req.raw;
  const asked = {
    params: asking.req.param() as Readonly<Record<string, string>>,
    query: parseQuery(asking, route),
    access,
  };
  const own = forRequest(parts.services, access, request.signal);
  const writesTo = projectWritten(access, asking.req.header('assay-project'));
  asking.set('project', writesTo);
  const services = scopedServices(own, access, writesTo, (project) => asking.set('project', project));
  await parts.services.audit.use(access, originIn(asking), route.scope === 'write');
  if (route.kind === 'raw') {
    const isStillAllowed = () => allowsStill(asking.req.header('authorization'), access, parts.access);
    return route.handle({ ...asked, body: undefined, request, isStillAllowed }, services);
  }
  const body = await parseBody(request, route, parts.services.limits);
  const view = asking.req.header('accept')?.includes(VIEW_TYPE) ? route.view : undefined;
  const text = JSON.stringify(await (view ?? route.handle)({ ...asked, body }, services));
  if (isAudited(route)) await recordCommand(asking, route, body, parts);
  return jsonResponse(asking, route, text, view === undefined ? undefined : VIEW_TYPE);
}

function accessFor(asking: Asking, { scope, isOfAll, isIntake }: Route, rules: AccessRules): Access {
  if (scope === 'none') return { scope: 'read' };
  const access = accessOf(asking.req.header('authorization'), rules, isIntake);
  asking.set('access', access);
  if (access.scope !== 'send') demand(access, scope);
  if (isOfAll === true) demandAll(access);
  return access;
}

/** Work stops when the client is gone, and is done in the name of the token. */
function forRequest(services: ServerServices, { who }: Access, signal: AbortSignal): ServerServices {
  const own = { signal, ...(who !== undefined && { identity: () => who }) };
  return {
    ...services,
    sessions: { ...services.sessions, ...own },
    project: { ...services.project, ...own },
  };
}

function parseQuery(asking: Asking, { query }: Route): unknown {
  const given = asking.req.queries();
  for (const [name, values] of Object.entries(given))
    if (values.length > 1)
      throw new AssayError('REQUEST_INVALID', `the query has ${JSON.stringify(name)} more than once`);
  const single = asking.req.query();
  if (query === undefined) {
    const [unknown] = Object.keys(single);
    if (unknown === undefined) return {};
    throw new AssayError(
      'REQUEST_INVALID',
      `the query has ${JSON.stringify(unknown)}, which this address does not take`,
    );
  }
  return parsed(query, single, 'query');
}

async function parseBody(request: Request, route: JsonRoute, limits: ServerLimits): Promise<unknown> {
  const { body, maxBodyBytes = limits.bodyBytes } = route;
  if (body === undefined) return undefined;
  // A form of another site can send any other type without being asked.
  if (!/^application\/json(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new AssayError('REQUEST_INVALID', 'the body must be application/json');
  const text = (await readBody(request, maxBodyBytes)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AssayError('REQUEST_INVALID', 'the body is not JSON', { cause });
  }
  return parsed(body, value, 'body');
}

/** An answer that has not changed is not sent again. */
function jsonResponse(
  asking: Asking,
  { method, status = 200, view }: JsonRoute,
  text: string,
  type = 'application/json',
): Response {
  const headers = { 'content-type': type, ...(view && { vary: 'accept' }) };
  if (method !== 'GET')
    return new Response(text, { status, headers: { ...headers, 'cache-control': 'no-store' } });
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const cacheHeaders = { etag, 'cache-control': 'private, no-cache' };
  if (isKnown(asking.req.header('if-none-match'), etag))
    return new Response(null, { status: 304, headers: { ...headers, ...cacheHeaders } });
  return new Response(text, { status, headers: { ...headers, ...cacheHeaders } });
}

function isKnown(known: string | undefined, etag: string): boolean {
  return (known ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

/** A page of the dashboard or one of its files; API addresses get an API answer. */
async function withoutRoute(asking: Asking, { serveFile, access }: AppParts): Promise<Response> {
  const { path, method } = asking.req;
  const isForPrograms = /^\/(api|v1)(\/|$)/.test(path);
  if (!isForPrograms && (method === 'GET' || method === 'HEAD')) {
    asking.set('route', 'file');
    const file = await serveFile(path, asking.req.header());
    if (file !== undefined) return file;
  }
  const methods = methodsOf(path);
  if (methods.length === 0 || isForPrograms) accessOf(asking.req.header('authorization'), access);
  const say = (why: string, status?: number) => problemResponse(new AssayError('NOT_FOUND', why), status);
  if (methods.length === 0) return say('nothing is at this address');
  const refusal = say(`this address takes ${methods.join(', ')}`, 405);
  refusal.headers.set('allow', methods.join(', '));
  return refusal;
}

function methodsOf(path: string): readonly string[] {
  return ROUTES.filter((route) => new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)).map(
    ({ method }) => method,
  );
}

function stackOf(error: unknown): string {
  const cause =
    error instanceof Error && error.cause !== undefined ? `\ncaused by ${stackOf(error.cause)}` : '';
  return error instanceof Error ? `${error.stack ?? error.message}${cause}` : String(error);
}
