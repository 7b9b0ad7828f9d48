/**
 * What following sessions costs: an append to a transcript of 1 MB, 100 MB and (with `--large`) 1 GB beside reading it whole,
 * and events a second that the server takes and keeps, beside a bare HTTP server that reads the same bodies:
 * `node bench/live.ts [--large]`.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { defaultPorts } from '../src/operations/default-ports.ts';
import { SessionFollower } from '../src/operations/session/follow-sessions.ts';
import { followFile } from '../src/session/live/followed-file.ts';
import { median } from '../src/stats/median.ts';
import { quantile } from '../src/stats/quantile.ts';

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

const SPANS = 20;
const CLIENTS = 16;
const LASTING_MS = 8000;

async function measureEvents(name: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  const address = new URL('/v1/traces', String(url));
  const times: number[] = [];
  const until = performance.now() + LASTING_MS;
  const client = async (which: number) => {
    for (let turn = 0; performance.now() < until; turn += 1) {
      const body = JSON.stringify(request(`client-${which}-${Math.floor(turn / 50)}`, turn));
      const before = performance.now();
      const answer = await fetch(address, {
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
  child.kill('SIGKILL');
  const perSecond = (times.length * SPANS * 1000) / LASTING_MS;
  const [p50, p99] = [0.5, 0.99].map((share) => (quantile(times, share) ?? 0).toFixed(1));
  process.stdout.write(
    `${name.padEnd(22)} ${perSecond.toFixed(0).padStart(7)} spans/s   p50 ${p50} ms, p99 ${p99} ms (${SPANS} spans a request, ${CLIENTS} clients)\n`,
  );
  return perSecond;
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
  for (const size of sizes) await measureAppends(size);
  const floor = await measureEvents('bare HTTP server', ['--input-type=module', '-e', BARE]);
  const folder = mkdtempSync(join(root, 'server-'));
  const child = join(import.meta.dirname, '../src/server/testing/serve-child.ts');
  const own = await measureEvents('assay, kept on disk', [child, folder]);
  process.stdout.write(`${((100 * own) / floor).toFixed(0)}% of the bare server\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
