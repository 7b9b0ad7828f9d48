/**
 * The cost of following sessions: an append to a transcript of 1 MB, 100 MB and (with `--large`) 1 GB against reading
 * it whole, and events per second that the server stores, against a bare HTTP server that reads the same bodies, and
 * one that only writes them to disk before it answers: `node bench/live.ts [--large | --appends | --events]`. The
 * servers are tried in turns, because machines are noisy.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { defaultPorts } from '../src/operations/default-ports.ts';
import { SessionFollower } from '../src/operations/session/follow-sessions.ts';
import { followFile } from '../src/session/live/followed-file.ts';
import { median, quantile } from '../src/stats/descriptive.ts';

const MB = 1_000_000;
const sizes = process.argv.includes('--large') ? [1, 100, 1000] : [1, 100];
const root = mkdtempSync(join(tmpdir(), 'assay-live-'));

/** A request, then calls of a tool with 4 kB of output each, as an agent writes them. */
function* entries(): Generator<string> {
  let last: string | null = null;
  const common = { sessionId: 'bench', cwd: '/nowhere', version: '2.1.0', isSidechain: false };
  const output = 'a line of output that somebody reads\n'.repeat(110);
  for (let i = 0; ; i += 1) {
    const uuid = createHash('md5').update(String(i)).digest('hex');
    const entry = {
      ...common,
      uuid,
      parentUuid: last,
      timestamp: new Date(1.76e12 + i * 1000).toISOString(),
    };
    last = uuid;
    const kind = i % 1000 === 0 ? 'asked' : i % 2 === 1 ? 'call' : 'result';
    if (kind === 'asked')
      yield JSON.stringify({ ...entry, type: 'user', message: { role: 'user', content: `Do part ${i}` } });
    else if (kind === 'call') {
      const content = [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command: 'npm test' } }];
      const usage = { input_tokens: 100, output_tokens: 20 };
      const message = { id: `m${i}`, role: 'assistant', model: 'claude-sonnet-4-5', content, usage };
      yield JSON.stringify({ ...entry, type: 'assistant', message });
    } else {
      const content = [{ type: 'tool_result', tool_use_id: `t${i - 1}`, content: output }];
      yield JSON.stringify({ ...entry, type: 'user', message: { role: 'user', content } });
    }
  }
}

async function measureAppends(megabytes: number): Promise<void> {
  const folder = join(root, `${megabytes}`);
  mkdirSync(folder);
  const path = join(folder, 'bench.jsonl');
  const lines = entries();
  const file = openSync(path, 'w');
  for (let written = 0; written < megabytes * MB; ) written += writeSync(file, `${lines.next().value}\n`);
  closeSync(file);
  const start = performance.now();
  await followFile(path, undefined);
  const whole = performance.now() - start;
  const ports = defaultPorts({ store: join(folder, 'assay.db') });
  const from = { paths: [folder], home: root, environment: {} };
  const follower = new SessionFollower({ from, silenceMs: 1e9 }, ports, () => {});
  await follower.begin();
  const times: number[] = [];
  for (let i = 0; i < 30; i += 1) {
    appendFileSync(path, `${lines.next().value}\n`);
    const before = performance.now();
    follower.touch([path]);
    await follower.settled();
    times.push(performance.now() - before);
  }
  await follower.stop();
  await ports.close();
  rmSync(folder, { recursive: true });
  process.stdout.write(
    `append to ${String(megabytes).padStart(4)} MB  ${(median(times) ?? 0).toFixed(1).padStart(8)} ms   read whole ${whole.toFixed(0).padStart(7)} ms\n`,
  );
}

const BARE = `
  import { createServer } from 'node:http';
  const server = createServer(async (request, response) => {
    for await (const chunk of request) chunk.length;
    response.end('{}');
  });
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/'));
`;

/** A file for each client, as ours has one for each conversation. */
const KEEPING = `
  import { open } from 'node:fs/promises';
  import { createServer } from 'node:http';
  const files = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const port = request.socket.remotePort;
    if (!files.has(port)) files.set(port, open(process.argv[1] + '/' + port, 'w'));
    const file = await files.get(port);
    await file.write(Buffer.concat(chunks));
    await file.datasync();
    response.end('{}');
  });
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/'));
`;

const SPANS = 20;
const CLIENTS = 16;
const LASTING_MS = 5000;
const ROUNDS = 3;
const TICK_MS = 10;

type Measured = { readonly times: number[]; processorMs: number };
type Running = Measured & { readonly child: ChildProcess; readonly address: URL; turns: number };

async function startMeasured(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, address: new URL('/v1/traces', String(url)), turns: 0, times: [], processorMs: 0 };
}

/** All clients at once, for a while; returns the time of each request. */
async function measureRound(server: Running, lastingMs: number): Promise<number[]> {
  const times: number[] = [];
  const began = processorOf(server.child.pid);
  const until = performance.now() + lastingMs;
  const client = async (which: number) => {
    while (performance.now() < until) {
      const turn = server.turns++;
      const body = JSON.stringify(request(`client-${which}-${Math.floor(turn / 800)}`, turn));
      const before = performance.now();
      const answer = await fetch(server.address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`answered with ${answer.status}`);
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, which) => client(which)));
  server.processorMs += processorOf(server.child.pid) - began;
  return times;
}

/**
 * CPU time of the thread that answers, where the system reports it (Linux): other work on the machine does not count.
 */
function processorOf(pid: number | undefined): number {
  const file = `/proc/${pid}/task/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function printEvents(name: string, { times, processorMs }: Measured): number {
  const perSecond = (times.length * SPANS * 1000) / (LASTING_MS * ROUNDS);
  const [p50, p99] = [0.5, 0.99].map((share) => (quantile(times, share) ?? 0).toFixed(1));
  process.stdout.write(
    `${name.padEnd(22)} ${perSecond.toFixed(0).padStart(7)} spans/s   p50 ${p50} ms, p99 ${p99} ms   ${(processorMs / times.length).toFixed(2)} ms of processor a request\n`,
  );
  return perSecond;
}

async function measureEvents(): Promise<void> {
  const child = join(import.meta.dirname, '../src/server/testing/serve-child.ts');
  const bare = await startMeasured(['--input-type=module', '-e', BARE]);
  const keeping = await startMeasured([
    '--input-type=module',
    '-e',
    KEEPING,
    mkdtempSync(join(root, 'bare-')),
  ]);
  const own = await startMeasured([child, mkdtempSync(join(root, 'server-'))]);
  const servers = [bare, keeping, own];
  try {
    // A warm-up round, so that code is compiled.
    for (const server of servers) await measureRound(server, LASTING_MS);
    for (const server of servers) server.processorMs = 0;
    for (let round = 0; round < ROUNDS; round += 1)
      for (const server of servers) server.times.push(...(await measureRound(server, LASTING_MS)));
  } finally {
    for (const server of servers) server.child.kill('SIGKILL');
  }
  const floor = printEvents('bare HTTP server', bare);
  const onDisk = printEvents('bare, kept on disk', keeping);
  const scored = printEvents('assay, kept on disk', own);
  const shareOf = (all: number) => `${((100 * scored) / all).toFixed(0)}%`;
  process.stdout.write(
    `${shareOf(floor)} of the bare server, ${shareOf(onDisk)} of the one that keeps (${SPANS} spans a request, ${CLIENTS} clients, ${ROUNDS} rounds of ${LASTING_MS / 1000} s in turns)\n`,
  );
}

function request(conversation: string, turn: number): object {
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const spans = Array.from({ length: SPANS }, (_, i) => {
    const id = createHash('md5').update(`${conversation} ${turn} ${i}`).digest('hex');
    return {
      traceId: createHash('md5').update(conversation).digest('hex'),
      spanId: id.slice(0, 16),
      name: 'chat',
      startTimeUnixNano: `${1_767_225_600 + turn}000000000`,
      endTimeUnixNano: `${1_767_225_600 + turn}500000000`,
      attributes: [
        text('gen_ai.conversation.id', conversation),
        text('gen_ai.operation.name', 'chat'),
        text('gen_ai.request.model', 'gpt-5-mini'),
        text(
          'gen_ai.output.messages',
          JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: id.repeat(8) }] }]),
        ),
      ],
    };
  });
  return {
    resourceSpans: [{ resource: { attributes: [text('service.name', 'bench')] }, scopeSpans: [{ spans }] }],
  };
}

try {
  if (!process.argv.includes('--events')) for (const size of sizes) await measureAppends(size);
  if (!process.argv.includes('--appends')) await measureEvents();
} finally {
  rmSync(root, { recursive: true, force: true });
}
