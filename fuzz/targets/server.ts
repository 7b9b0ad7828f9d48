import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { defaultPorts } from '../../src/operations/default-ports.ts';
import { scoreSessions } from '../../src/operations/session/score-sessions.ts';
import { openServer } from '../../src/server/open-server.ts';
import { problem } from '../../src/server/problem.ts';
import { ROUTES } from '../../src/server/resources/resources.ts';
import { Broken, type Target } from '../target.ts';
import { REQUESTS } from './requests.ts';

/** In every text that is sent; logs must never contain it. */
const SAID = 'wordsthatsomebodysaid';
const UNLIMITED = { rate: { perSecond: 1e9, burst: 1e9 } };

type Server = {
  readonly url: string;
  /** What was logged while it was asked. */
  readonly ask: (
    request: Request,
  ) => Promise<{ readonly response: Response; readonly logged: readonly string[] }>;
  readonly close: () => Promise<void>;
};

/** A real one, over a store of its own with the sessions of the example in it. */
async function openFuzzed(folder: string): Promise<Server> {
  const store = join(folder, 'assay.db');
  const transcripts = join(folder, 'transcripts');
  cpSync('examples/session', transcripts, { recursive: true });
  const ports = () => defaultPorts({ store, folder });
  const scoring = ports();
  await scoreSessions(
    { from: { paths: [transcripts], home: folder, environment: {} }, keep: true },
    scoring,
    () => {},
  );
  await scoring.close();
  const lines: string[] = [];
  const { url, stop } = await openServer({
    host: '127.0.0.1',
    port: 0,
    web: join(folder, 'web'),
    folder,
    machine: { home: folder, environment: { HOME: folder } },
    config: (await loadConfig(folder)).config,
    log: { choice: 'all', write: (line) => void lines.push(line) },
    sessions: ports(),
    project: ports(),
    limits: UNLIMITED,
  });
  const ask = async (request: Request) => {
    lines.length = 0;
    return { response: await fetch(request), logged: lines };
  };
  return { url, ask, close: stop };
}

/** `METHOD /address`, then the body, as it would come over a socket. */
function requestOf(server: string, input: Buffer): Request | undefined {
  const end = input.indexOf('\n');
  const [method = '', address = '', type = 'application/json'] = input
    .subarray(0, end === -1 ? undefined : end)
    .toString('latin1')
    .split(' ');
  const body = end === -1 ? Buffer.alloc(0) : input.subarray(end + 1);
  try {
    const url = new URL(address.startsWith('/') ? address : `/${address}`, server);
    if (url.host !== new URL(server).host) return undefined;
    // Fetch sends no such header, and says so itself.
    if (!/^[\w./+;=-]+$/.test(type)) return undefined;
    const takesBody = method !== 'GET' && method !== 'HEAD';
    return new Request(url, {
      method,
      headers: { 'content-type': type, accept: 'application/json, text/event-stream' },
      ...(takesBody && { body: new Uint8Array(body) }),
    });
  } catch {
    return undefined;
  }
}

function demandQuiet({ status }: Response, logged: readonly string[]): void {
  if (status === 500 || logged.some((line) => line.includes('"fault"')))
    throw new Broken(`a fault: ${faultIn(logged)}`);
  if (logged.some((line) => line.includes(SAID))) throw new Broken('what was said is in the log');
}

function faultIn(logged: readonly string[]): string {
  const line = logged.find((one) => one.includes('"fault"')) ?? logged.join(' ');
  return `${/src\/[^):]+\.ts:\d+/.exec(line)?.[0] ?? ''} ${line.slice(0, 600)}`;
}

async function demandAnswer(request: Request, { ask }: Server): Promise<unknown> {
  const { response, logged } = await ask(request);
  const { status, headers } = response;
  demandQuiet(response, logged);
  // A stream has no end.
  if (headers.get('content-type')?.includes('event-stream')) return response.body?.cancel();
  const text = await response.text();
  if (headers.get('content-type') === 'application/problem+json') {
    const told = problem.safeParse(JSON.parse(text));
    if (!told.success) throw new Broken(`a problem is not of the wire: ${told.error.message}`);
    return { status, code: told.data.code };
  }
  const path = new URL(request.url).pathname;
  const route = ROUTES.find(
    (one) =>
      one.method === request.method && new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  if (route?.kind !== 'json' || status === 304 || text === '') return { status };
  const checked = route.answer.safeParse(JSON.parse(text));
  if (!checked.success)
    throw new Broken(`an answer of ${route.path} is not of the wire: ${checked.error.message}`);
  return { status, value: JSON.parse(text) };
}

export const serverTargets: readonly Target[] = [
  {
    name: 'server/requests',
    seeds: () => REQUESTS.map((text) => Buffer.from(text)),
    open: async (folder) => {
      const server = await openFuzzed(folder);
      const read = (input: Buffer) => {
        const request = requestOf(server.url, input);
        return request === undefined ? 'no request' : demandAnswer(request, server);
      };
      return { read, close: server.close, changes: true };
    },
  },
  {
    name: 'server/mcp',
    seeds: () => [],
    open: async (folder) => {
      const server = await openFuzzed(folder);
      const read = async (input: Buffer) => {
        const request = requestOf(server.url, Buffer.concat([Buffer.from('POST /mcp\n'), input]));
        if (request === undefined) return 'no request';
        const { response, logged } = await server.ask(request);
        const text = await response.text();
        demandQuiet(response, logged);
        return { status: response.status, text };
      };
      return { read, close: server.close };
    },
  },
];
