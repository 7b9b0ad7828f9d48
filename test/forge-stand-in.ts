/** Stands in for the API of GitHub and of GitLab, over real HTTP: comments in pages, refusals, limits. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Comment = { readonly id: number; body: string; readonly by: string };
type Asked = { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers'] };

export type StandIn = {
  readonly url: string;
  readonly comments: Comment[];
  readonly asked: Asked[];
  /** Answers of the next requests, before it answers by itself. */
  readonly next: { status: number; headers?: Record<string, string> }[];
  /** Nobody may write. */
  readOnly: boolean;
};

const PAGE = 2;

export async function startStandIn(comments: readonly string[] = []): Promise<StandIn> {
  const state = {
    comments: comments.map((body, i): Comment => ({ id: i + 1, body, by: 'somebody' })),
    asked: [] as Asked[],
    next: [] as StandIn['next'],
    readOnly: false,
  };
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const { pathname, searchParams } = new URL(url, 'http://stand.in');
    let text = '';
    for await (const chunk of request) text += chunk;
    state.asked.push({ method, path: pathname, headers });
    const said = state.next.shift();
    const answer = (status: number, body: unknown = {}, more: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body));
    if (said !== undefined) return answer(said.status, { message: 'wait' }, said.headers);
    if (method === 'GET') {
      const page = Number(searchParams.get('page') ?? '1');
      const shown = state.comments
        .slice((page - 1) * PAGE, page * PAGE)
        .map((one) => ({ ...one, user: { type: one.by === 'bot' ? 'Bot' : 'User' } }));
      const isLast = page * PAGE >= state.comments.length;
      const address = `http://${headers.host}${pathname}?page=${page + 1}`;
      return answer(200, shown, isLast ? {} : { link: `<${address}>; rel="next"` });
    }
    if (state.readOnly) return answer(403, { message: 'Resource not accessible by integration' });
    const { body } = JSON.parse(text) as { body: string };
    if (method === 'POST') {
      state.comments.push({ id: state.comments.length + 1, body, by: 'bot' });
      return answer(201);
    }
    const found = state.comments.find(({ id }) => pathname.endsWith(`/${id}`));
    if (found?.by !== 'bot') return answer(403);
    found.body = body;
    return answer(200);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
