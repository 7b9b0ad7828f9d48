/** A real local server that speaks the protocols of the providers and answers as a test specifies. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { protocolOf } from './protocols.ts';

export type Reply =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly finish?: 'stop' | 'length' | 'refusal';
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      /** The text comes as the arguments of a tool. */
      readonly asTool?: boolean;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** Any body with status 200. */
  | { readonly kind: 'body'; readonly body: string }
  /** The connection ends before a word is said. */
  | { readonly kind: 'reset' }
  /** The connection ends in the middle of the answer. */
  | { readonly kind: 'cut'; readonly text: string }
  /** Nothing ever comes. */
  | { readonly kind: 'hang' };

export type SeenRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The text and the instructions, wherever the protocol puts them. */
  readonly user: string;
  readonly system: string;
  readonly stream: boolean;
};

export type ModelServer = {
  /** Base addresses as the providers' packages expect them. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** The most requests that were under way at the same time. */
  readonly mostAtOnce: () => number;
  readonly close: () => Promise<void>;
};

type Answering = (request: SeenRequest, index: number) => Reply | Promise<Reply>;

export async function startModelServer(answering: Answering): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  let running = 0;
  let most = 0;
  const server = createServer(async (incoming, response) => {
    const seen = await read(incoming);
    requests.push(seen);
    running += 1;
    most = Math.max(most, running);
    response.once('close', () => {
      running -= 1;
    });
    await send(await answering(seen, requests.length - 1), seen, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    mostAtOnce: () => most,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

async function read(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  const path = incoming.url ?? '';
  const protocol = protocolOf(path);
  const parsed = JSON.parse(body) as Record<string, unknown>;
  return {
    path,
    headers: incoming.headers,
    body,
    user: protocol.user(parsed),
    system: protocol.system(parsed),
    stream: parsed.stream === true || path.includes('streamGenerateContent'),
  };
}

async function send(reply: Reply, seen: SeenRequest, response: ServerResponse): Promise<void> {
  if (reply.kind === 'hang') return;
  if (reply.kind === 'reset') {
    response.socket?.destroy();
    return;
  }
  if (reply.kind === 'status') {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body ?? JSON.stringify({ error: { message: 'as the test asked', type: 'test' } }));
    return;
  }
  if (reply.kind === 'body') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(reply.body);
    return;
  }
  const protocol = protocolOf(seen.path);
  const answer = {
    text: reply.text,
    finish: reply.kind === 'answer' ? (reply.finish ?? 'stop') : ('stop' as const),
    asTool: reply.kind === 'answer' && reply.asTool === true,
    inputTokens: (reply.kind === 'answer' ? reply.inputTokens : undefined) ?? 1000,
    outputTokens: (reply.kind === 'answer' ? reply.outputTokens : undefined) ?? 500,
  };
  const body = seen.stream ? protocol.events(answer).join('') : JSON.stringify(protocol.whole(answer));
  response.writeHead(200, { 'content-type': seen.stream ? 'text/event-stream' : 'application/json' });
  if (reply.kind === 'answer') {
    response.end(body);
    return;
  }
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
}
