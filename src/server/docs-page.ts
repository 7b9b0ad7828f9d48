/** The API reference as a page: plain markup with its own style and no script. */
import { escapeHtml } from '../report/page/table-markup.ts';
import { TOKENS } from '../report/page/tokens.ts';
import { schemaOf } from './openapi.ts';
import type { Route } from './route.ts';

export const DOCS_STYLE = `${TOKENS}
body{margin:0 auto;max-width:60rem;padding:var(--s5);background:var(--bg);color:var(--ink);font:var(--t-m)/1.5 var(--font)}
h1{font-size:var(--t-xl)}
h2{font-size:var(--t-l);margin:var(--s6) 0 var(--s2)}
article{background:var(--panel);border:1px solid var(--line);border-radius:var(--radius);padding:var(--s3) var(--s4);margin:var(--s3) 0}
h3{font:600 var(--t-m) var(--mono);margin:0;overflow-wrap:anywhere}
p{margin:var(--s1) 0}
.scope{color:var(--ink-soft)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:var(--s1) var(--s3) var(--s1) 0;border-top:1px solid var(--line)}
code,pre{font:var(--t-s)/1.4 var(--mono)}
pre{overflow:auto;max-height:24rem;background:var(--sunken);padding:var(--s3);border-radius:var(--radius)}
a,summary{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

export function docsPage(routes: readonly Route[]): string {
  const groups = Map.groupBy(routes, ({ path }) => groupOf(path));
  const parts = [...groups].map(
    ([name, own]) => `<h2>${escapeHtml(name)}</h2>\n${own.map(articleOf).join('\n')}`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Assay: the HTTP API</title><link rel="stylesheet" href="/api/docs.css"></head>
<body>
<main>
<h1>The HTTP API of Assay</h1>
<p>JSON in and out. Errors are problem details (RFC 9457) with Assay's error codes. Responses to GET have an ETag; send it as <code>If-None-Match</code> to get 304 when nothing has changed. Lists are paged: pass <code>next</code> of one page as the <code>cursor</code> of the next. Where a token is required, send it as <code>Authorization: Bearer …</code>.</p>
<p>For programs: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${parts.join('\n')}
</main>
</body>
</html>
`;
}

function groupOf(path: string): string {
  return /^\/api\/v1\/(\w+)/.exec(path)?.[1] ?? 'beside';
}

function articleOf(route: Route): string {
  const { method, path, summary, scope } = route;
  return [
    '<article>',
    `<h3>${method} ${escapeHtml(path)}</h3>`,
    `<p>${escapeHtml(summary)}.</p>`,
    `<p class="scope">${scope === 'none' ? 'Needs no token' : `Scope: ${scope}`}</p>`,
    queryTable(route),
    ...schemasOf(route).map(
      ([title, schema]) =>
        `<details><summary>${title}</summary><pre tabindex="0">${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`,
    ),
    '</article>',
  ].join('\n');
}

function queryTable({ query }: Route): string {
  if (query === undefined) return '';
  const { properties = {} } = schemaOf(query, 'input') as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  };
  const rows = Object.entries(properties).map(([name, { description = '', ...kind }]) => {
    const cells = [
      `<code>${escapeHtml(name)}</code>`,
      `<code>${escapeHtml(kindOf(kind))}</code>`,
      escapeHtml(description),
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<table><tr><th scope="col">Query</th><th scope="col">Kind</th><th scope="col"></th></tr>\n${rows.join('\n')}</table>`;
}

function kindOf(schema: {
  readonly enum?: readonly unknown[];
  readonly type?: unknown;
  readonly default?: unknown;
}): string {
  const kind = schema.enum === undefined ? String(schema.type ?? 'text') : schema.enum.join(' | ');
  return schema.default === undefined ? kind : `${kind} (${String(schema.default)})`;
}

function schemasOf(route: Route): (readonly [string, unknown])[] {
  if (route.kind === 'raw') return [];
  const { body, answer } = route;
  return [
    ...(body === undefined ? [] : [['Body', schemaOf(body, 'input')] as const]),
    ['Answer', schemaOf(answer, 'output')] as const,
  ];
}
