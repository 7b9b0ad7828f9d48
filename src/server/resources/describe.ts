import { z } from 'zod';
import { encoded } from '../../api/wire.ts';
import { DOCS_STYLE, docsPage } from '../docs-page.ts';
import { openApiOf } from '../openapi.ts';
import { jsonRoute, type Route, rawRoute } from '../route.ts';

/** Routes that describe all routes, these included; built on first use. */
export function describeRoutes(routes: () => readonly Route[]): readonly Route[] {
  let described: object | undefined;
  let page: string | undefined;
  return [
    jsonRoute({
      method: 'GET',
      path: '/api/v1/openapi.json',
      summary: 'This API as an OpenAPI document',
      scope: 'none',
      answer: encoded(
        z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) }),
      ),
      handle: async () => {
        described ??= openApiOf(routes());
        return described as { openapi: '3.1.0'; paths: Record<string, unknown> };
      },
    }),
    rawRoute({
      method: 'GET',
      path: '/api/docs',
      summary: 'This API as an HTML page',
      scope: 'none',
      produces: 'text/html',
      handle: async () => {
        page ??= docsPage(routes());
        return text(page, 'text/html; charset=utf-8');
      },
    }),
    rawRoute({
      method: 'GET',
      path: '/api/docs.css',
      summary: 'Its style',
      scope: 'none',
      produces: 'text/css',
      handle: async () => text(DOCS_STYLE, 'text/css; charset=utf-8'),
    }),
  ];
}

function text(body: string, type: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'private, no-cache' } });
}
