/** Calls a route of the API without a socket, with the access of the caller. */
import { AssayError } from '../../errors.ts';
import { schemaOf } from '../openapi.ts';
import { type JsonRoute, parsed } from '../route.ts';
import { type Access, demand } from '../security/access.ts';
import type { Services } from '../services.ts';

export type RouteCall = (given: Readonly<Record<string, unknown>>) => Promise<object>;

export function callRoute(route: JsonRoute, access: Access, services: Services): RouteCall {
  const names = paramsOf(route);
  return async (given) => {
    if (route.scope !== 'none') demand(access, route.scope);
    const [params, query]: [Record<string, string>, Record<string, string>] = [{}, {}];
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined || value === null) continue;
      if (typeof value === 'object') throw new AssayError('REQUEST_INVALID', `${name} takes one value`);
      (names.includes(name) ? params : query)[name] = String(value);
    }
    for (const name of names)
      if (params[name] === undefined) throw new AssayError('REQUEST_INVALID', `${name} is missing`);
    const asked = { params, query: parsedQuery(route, query), body: undefined, access };
    return (await route.handle(asked, services)) as object;
  };
}

function parsedQuery({ query }: JsonRoute, given: Readonly<Record<string, string>>): unknown {
  const [unknown] = Object.keys(given);
  if (query === undefined && unknown !== undefined)
    throw new AssayError('REQUEST_INVALID', `${JSON.stringify(unknown)} is not an argument of this tool`);
  return query === undefined ? {} : parsed(query, given, 'arguments');
}

function paramsOf({ path }: JsonRoute): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

type JsonSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

/** What an address takes, as one object. */
export function argumentsOf(route: JsonRoute, usual: Readonly<Record<string, string>> = {}): JsonSchema {
  const names = paramsOf(route);
  const { properties = {}, required = [] } = (
    route.query === undefined ? {} : schemaOf(route.query, 'input')
  ) as { properties?: Record<string, object>; required?: string[] };
  const own = Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }]));
  const rest = Object.entries(properties).map(([name, schema]) => {
    const { default: _, ...bare } = schema as { default?: unknown };
    const value = usual[name] ?? ('default' in schema ? schema.default : undefined);
    return [name, value === undefined ? bare : { ...bare, default: asNumber(bare, value) }];
  });
  return {
    type: 'object',
    properties: { ...own, ...Object.fromEntries(rest) },
    required: [...names, ...required],
    additionalProperties: false,
  };
}

function asNumber(schema: { type?: unknown }, value: unknown): unknown {
  return schema.type === 'integer' || schema.type === 'number' ? Number(value) : value;
}
