/**
 * A server under mixed traffic for a long time: `npm run soak -- [--minutes 60]`. Agents send spans, log records and lines of
 * transcripts, people look at pages and listen to events, and some clients mean harm. Prints memory, open files and what
 * answers take, again and again. Exit code 1 when memory or open files grow without bound, when an answer is a fault of the
 * server, or when an acknowledged event is missing in the end.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { sentLines } from '../src/server/testing/stored-rows.ts';
import { median, quantile } from '../src/stats/descriptive.ts';
import { keyedFetch, withoutKey } from '../src/testing/server-keys.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const lastingMs = Number(values.minutes) * 60_000;
const LOOKS = 24;
const AGENTS = 12;
const LISTENERS = 20;
/** A session has so many events; then the agent begins another one. */
const EVENTS = 40;
const PAUSE_MS = 20;

const root = mkdtempSync(join(tmpdir(), 'assay-soak-'));
const child = spawn(
  process.execPath,
  [join(import.meta.dirname, '../src/server/testing/serve-child.ts'), root],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
/** Errors that the server itself logs; low scores of the sent sessions are none. */
let errors = 0;
createInterface({ input: child.stderr }).on('line', (said) => {
  if (said.includes('"level":"warn"')) return;
  errors += 1;
  process.stderr.write(`${said}\n`);
});
const [address] = await once(createInterface({ input: child.stdout }), 'line');
const url = withoutKey(String(address));
const until = performance.now() + lastingMs;
const isOver = () => performance.now() >= until || child.exitCode !== null;

/** Hashes of what was acknowledged: the texts of an hour would take much memory. */
const acknowledged = new Set<string>();
const hashOf = (line: string) => createHash('md5').update(line).digest('base64');
const faults = new Map<number, number>();
let times: number[] = [];
let heard = 0;

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const JSON_TYPE = { 'content-type': 'application/json' };

type Said = { readonly path: string; readonly headers: Record<string, string>; readonly body: string };

function span(session: string, turn: number): Said {
  const id = createHash('md5').update(`${session} ${turn}`).digest('hex');
  const said = (role: string, content: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  const own = {
    traceId: createHash('md5').update(session).digest('hex'),
    spanId: id.slice(0, 16),
    name: 'chat',
    startTimeUnixNano: `${Date.now()}000000`,
    endTimeUnixNano: `${Date.now()}500000`,
    attributes: [
      text('gen_ai.conversation.id', session),
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.request.model', 'gpt-5-mini'),
      text('gen_ai.input.messages', said('user', `Question ${turn}?`)),
      text('gen_ai.output.messages', said('assistant', `${id} `.repeat(20))),
    ],
  };
  const body = { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [own] }] }] };
  return { path: '/v1/traces', headers: JSON_TYPE, body: JSON.stringify(body) };
}

function log(session: string, turn: number): Said {
  const event = ['user_prompt', 'api_request', 'tool_result'][turn % 3] ?? '';
  const record = {
    timeUnixNano: `${Date.now()}000000`,
    body: { stringValue: `claude_code.${event}` },
    attributes: [
      text('event.name', event),
      text('session.id', session),
      text('prompt', `Question ${turn}?`),
      text('input_tokens', '100'),
      text('tool_name', 'Bash'),
      text('success', 'true'),
    ],
  };
  const body = { resourceLogs: [{ resource: { attributes: [] }, scopeLogs: [{ logRecords: [record] }] }] };
  return { path: '/v1/logs', headers: JSON_TYPE, body: JSON.stringify(body) };
}

function line(session: string, turn: number): Said {
  const entry = {
    type: 'user',
    uuid: `${session}-${turn}`,
    parentUuid: turn === 0 ? null : `${session}-${turn - 1}`,
    sessionId: session,
    cwd: '/nowhere',
    version: '2.1.0',
    timestamp: new Date().toISOString(),
    message: { role: 'user', content: `Do part ${turn}. ${session.repeat(20)}` },
  };
  return {
    path: `/api/v1/sessions/${session}/events${turn === EVENTS - 1 ? '?ended=true' : ''}`,
    headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': String(turn) },
    body: `${JSON.stringify(entry)}\n`,
  };
}

/** Each item is sent until it is acknowledged, as clients do; every other agent compresses. */
async function agent(which: number): Promise<void> {
  const kind = [span, log, line][which % 3] ?? span;
  for (let count = 0; !isOver(); count += 1) {
    const said = kind(`agent-${which}-${Math.floor(count / EVENTS)}`, count % EVENTS);
    for (let isTaken = false; !isTaken && !isOver(); ) {
      const before = performance.now();
      const status = await send(said, which % 2 === 1);
      times.push(performance.now() - before);
      isTaken = status === 200;
      if (isTaken) acknowledged.add(hashOf(said.body.trimEnd()));
      else await sleep(1000);
    }
    await sleep(PAUSE_MS);
  }
}

async function send({ path, headers, body }: Said, isPacked: boolean): Promise<number> {
  const packed = { ...headers, ...(isPacked && { 'content-encoding': 'gzip' }) };
  return ask(path, {
    method: 'POST',
    headers: packed,
    body: isPacked ? new Uint8Array(gzipSync(body)) : body,
  });
}

async function ask(path: string, init?: RequestInit): Promise<number> {
  try {
    const answer = await keyedFetch(new URL(path, url), init);
    await answer.arrayBuffer();
    if (answer.status >= 500) faults.set(answer.status, (faults.get(answer.status) ?? 0) + 1);
    return answer.status;
  } catch {
    return 0;
  }
}

async function reader(): Promise<void> {
  const pages = ['/api/v1/overview', '/api/v1/sessions', '/api/v1/sessions?limit=5', '/readyz'];
  for (let i = 0; !isOver(); i += 1) {
    await ask(pages[i % pages.length] ?? '/');
    await sleep(200);
  }
}

async function listener(): Promise<void> {
  while (!isOver()) {
    const stop = AbortSignal.timeout(Math.round(Math.max(1, Math.min(20_000, until - performance.now()))));
    try {
      const { body } = await keyedFetch(new URL('/api/v1/events', url), { signal: stop });
      for await (const chunk of body ?? []) heard += chunk.length;
    } catch {
      // It comes back, as browsers do.
    }
    await sleep(100);
  }
}

/** Silent connections, endless bodies, decompression bombs, and malformed messages. */
async function enemy(): Promise<void> {
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(50_000_000)));
  const head = 'POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  for (let i = 0; !isOver(); i += 1) {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
    if (i % 2 === 0) socket.write(`${head}Content-Length: 9000000\r\n\r\n${' '.repeat(100_000)}`);
    setTimeout(() => socket.destroy(), 5000);
    const packed = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
    await ask('/v1/traces', { method: 'POST', headers: packed, body: bomb });
    await ask('/v1/logs', { method: 'POST', headers: JSON_TYPE, body: '{"resourceLogs": 3' });
    await sleep(1000);
  }
}

type Look = { readonly memory: number; readonly files: number };

function look(): Look {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const memory = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  return { memory, files: readdirSync(`/proc/${child.pid}/fd`).length };
}

async function watch(): Promise<readonly Look[]> {
  const looks: Look[] = [];
  const started = performance.now();
  while (!isOver()) {
    await sleep(lastingMs / LOOKS);
    if (child.exitCode !== null) break;
    const now = look();
    looks.push(now);
    const [p50, p99] = [0.5, 0.99].map((share) => (quantile(times, share) ?? 0).toFixed(0).padStart(5));
    times = [];
    const minutes = ((performance.now() - started) / 60_000).toFixed(1).padStart(5);
    process.stdout.write(
      `${minutes} min  ${now.memory.toFixed(0).padStart(5)} MB  ${String(now.files).padStart(4)} files open  p50 ${p50} ms  p99 ${p99} ms  ${acknowledged.size} events acknowledged\n`,
    );
  }
  return looks;
}

/** The last quarter against the second one: the first includes start-up. */
function grown(looks: readonly Look[], of: (one: Look) => number): number {
  const quarter = Math.floor(looks.length / 4);
  const [early, late] = [looks.slice(quarter, 2 * quarter), looks.slice(-quarter)];
  return (median(late.map(of)) ?? Number.NaN) - (median(early.map(of)) ?? Number.NaN);
}

/** The number of acknowledged items that are not in the store. */
async function countMissing(): Promise<number> {
  const left = new Set(acknowledged);
  for (const line of await sentLines(join(root, 'assay.db'))) left.delete(hashOf(line));
  return left.size;
}

const MOST_GROWN_MB = 150;
const MOST_GROWN_FILES = 100;

try {
  const watching = watch();
  await Promise.all([
    ...Array.from({ length: AGENTS }, (_, which) => agent(which)),
    ...Array.from({ length: LISTENERS }, listener),
    reader(),
    enemy(),
  ]);
  const looks = await watching;
  const hasDied = child.exitCode !== null;
  const missing = await countMissing();
  const [memory, files] = [grown(looks, (one) => one.memory), grown(looks, (one) => one.files)];
  const faulty = [...faults].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
  process.stdout.write(
    `${values.minutes} minutes: ${acknowledged.size} events acknowledged, ${missing} missing; ${heard} bytes heard by listeners; faults: ${faulty}; errors in the log: ${errors}\n` +
      `from the second quarter to the last: ${memory.toFixed(0)} MB (at most ${MOST_GROWN_MB}), ${files.toFixed(0)} open files (at most ${MOST_GROWN_FILES})${hasDied ? '; the server has ended' : ''}\n`,
  );
  const isWell =
    !hasDied &&
    missing === 0 &&
    acknowledged.size > 0 &&
    faults.size === 0 &&
    errors === 0 &&
    memory <= MOST_GROWN_MB &&
    files <= MOST_GROWN_FILES;
  process.exitCode = isWell ? 0 : 1;
} finally {
  child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
}
