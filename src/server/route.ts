/**
 * What a resource is: routes as data, each with a function that answers it. `app.ts` serves them and `openapi.ts` describes
 * them from the same list, so that neither can know a route the other does not.
 *
 * A resource is one file in `resources/` that exports a list of routes, and one line in `resources/resources.ts`.
 */
import type { z } from 'zod';
import { encode, type Source } from '../api/wire.ts';
import { AssayError } from '../errors.ts';
import type { View } from '../report/view.ts';
import { sayIssue } from '../say-issue.ts';
import type { Access, TokenScope } from './security/access.ts';
import type { Services } from './services.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** `/sessions/{key}` has `{ key: string }`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsOf<Rest>
  : unknown;

/** The input of a handler. Its ports stop when the client is gone. */
export type RouteRequest<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly access: Access;
};

type RouteAudit = {
  /** So many come that they are counted by the minute. */
  readonly isMany?: true;
  /** It is about the folder of the server, and so of its project. */
  readonly isOfFolder?: true;
  /** What it is done to, where the address does not say. */
  readonly target?: (body: never) => string;
};

type Declared = {
  readonly method: Method;
  /** `{name}` matches one part of the path. */
  readonly path: string;
  /** One line for people, without its end. */
  readonly summary: string;
  /** What a token must allow; `none` is answered to everybody who may speak to the server at all. */
  readonly scope: TokenScope | 'none';
  /** It shows all projects at once: tokens of some are refused. */
  readonly isOfAll?: true;
  /** Programs send here, on this machine without the key of the server. It says nothing of what is stored. */
  readonly isIntake?: true;
  /** The audit entry of a write. */
  readonly audit?: RouteAudit;
  /** What is in the query; absent: nothing may be. */
  readonly query?: z.ZodType;
  /** Bodies may be so long, also when unpacked; by default 1 MB. */
  readonly maxBodyBytes?: number;
};

/** JSON in, JSON out. */
export type JsonRoute = Declared & {
  readonly kind: 'json';
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  readonly status?: 200 | 201 | 202;
  readonly handle: (asked: RouteRequest, services: Services) => Promise<unknown>;
  /** The same result described for people: what `Accept: application/vnd.assay.view+json` asks for. */
  readonly view?: (asked: RouteRequest, services: Services) => Promise<View>;
};

export const VIEW_TYPE = 'application/vnd.assay.view+json';

/** Extra input of a raw handler. */
type RawRequest = {
  readonly request: Request;
  /** Whether the token would let it in now: a stream goes on for longer than a token is good. */
  readonly isStillAllowed: () => boolean;
};

/** Everything else: streams, other encodings. The body is read by the handler, with `readBody`. */
export type RawRoute = Declared & {
  readonly kind: 'raw';
  /** Media types. */
  readonly consumes?: readonly string[];
  readonly produces: string;
  readonly handle: (asked: RouteRequest & RawRequest, services: Services) => Promise<Response>;
};

export type Route = JsonRoute | RawRoute;

/** Declares a route whose handler has typed path, query, body and answer. */
export function jsonRoute<
  const Path extends string,
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodType<unknown>,
  Body extends z.ZodType = z.ZodType<undefined>,
>(
  declared: Omit<JsonRoute, 'kind' | 'path' | 'query' | 'body' | 'answer' | 'handle' | 'view'> & {
    readonly path: Path;
    readonly query?: Query;
    readonly body?: Body;
    readonly answer: Answer;
    readonly handle: (
      asked: RouteRequest<ParamsOf<Path>, z.output<Query>, z.output<Body>>,
      services: Services,
    ) => Promise<Source<Answer>>;
    readonly view?: (
      asked: RouteRequest<ParamsOf<Path>, z.output<Query>, z.output<Body>>,
      services: Services,
    ) => Promise<View>;
  },
): JsonRoute {
  const { answer, handle } = declared;
  const encoding = async (...asked: Parameters<typeof handle>) => encode(answer, await handle(...asked));
  // What the handler is given was parsed by the schemas that it is typed by.
  return { kind: 'json', ...declared, handle: encoding } as unknown as JsonRoute;
}

export function rawRoute<const Path extends string, Query extends z.ZodType = z.ZodType<unknown>>(
  declared: Omit<RawRoute, 'kind' | 'path' | 'query' | 'handle'> & {
    readonly path: Path;
    readonly query?: Query;
    readonly handle: (
      asked: RouteRequest<ParamsOf<Path>, z.output<Query>, undefined> & RawRequest,
      services: Services,
    ) => Promise<Response>;
  },
): RawRoute {
  return { kind: 'raw', ...declared } as unknown as RawRoute;
}

/** Parses input by its schema; an error names the place. */
export function parsed(schema: z.ZodType, value: unknown, where: string): unknown {
  const result = schema.safeParse(value, { error: sayIssue });
  if (result.success) return result.data;
  const issue = nearestIssue(result.error.issues);
  const place = [where, ...(issue?.path ?? [])].join('.');
  throw new AssayError('REQUEST_INVALID', `${place}: ${issue?.message ?? 'is wrong'}`);
}

/** Where one or many may be sent, the error is about the form that matched further. */
function nearestIssue([issue]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  const inside = issue.errors.map(nearestIssue).find((one) => one !== undefined && one.path.length > 0);
  return inside === undefined ? issue : { ...inside, path: [...issue.path, ...inside.path] };
}
