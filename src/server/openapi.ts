/** OpenAPI 3.1 of every route, made of the same schemas that check what comes in and say what goes out. */
import { z } from 'zod';
import { problem } from './problem.ts';
import { type Route, VIEW_TYPE } from './route.ts';

/** Version of the addresses below /api/v1; each answer has its own schema version. */
const API_VERSION = '1';

type Json = Readonly<Record<string, unknown>>;

export function openApiOf(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: API_VERSION,
      description:
        'The quality of LLM work: sessions, extractions and reviews. A server that only this machine reaches needs no token.',
    },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: schemaOf(problem, 'output') },
      responses: {
        Problem: {
          description: 'What went wrong, and what to do about it',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
}

/** `GET /api/v1/sessions/{key}/tree` → `getSessionsKeyTree`. */
function nameOf({ method, path }: Route): string {
  const below = path.replace(/^\/api\/v1/, '');
  // A route outside the API is about the server itself, and may have a parameter in its path.
  const words = [...(below === path ? ['server'] : []), ...(below.match(/\w+/g) ?? [])];
  const capital = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return `${method.toLowerCase()}${capital.join('')}`;
}

function operationOf(route: Route): Json {
  const { path, summary, scope } = route;
  const parameters = [...paramsOf(path), ...queryOf(route)];
  const body = bodyOf(route);
  return {
    operationId: nameOf(route),
    summary,
    ...(scope !== 'none' && { description: `Needs the scope ${scope} when the server requires tokens.` }),
    security: scope === 'none' ? [] : [{ token: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...answerOf(route), default: { $ref: '#/components/responses/Problem' } },
  };
}

function paramsOf(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryOf({ query }: Route): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

function bodyOf(route: Route): Json | undefined {
  if (route.kind === 'json')
    return (
      route.body && {
        required: true,
        content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
      }
    );
  if (route.consumes === undefined) return undefined;
  return { required: true, content: Object.fromEntries(route.consumes.map((type) => [type, {}])) };
}

function answerOf(route: Route): Json {
  if (route.kind === 'raw') return { 200: { description: route.summary, content: { [route.produces]: {} } } };
  const content = {
    'application/json': { schema: schemaOf(route.answer, 'output') },
    ...(route.view && { [VIEW_TYPE]: {} }),
  };
  const notAgain = route.method === 'GET' && {
    304: { description: 'Not modified since the ETag that was sent' },
  };
  return { [route.status ?? 200]: { description: route.summary, content }, ...notAgain };
}

export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
