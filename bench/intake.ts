/**
 * CPU time of a server, all threads together, for whole sessions that agents send: received, stored and scored: `node
 * bench/intake.ts [sessions]`. Compared with `JSON.parse` of the same lines.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyedFetch, withoutKey } from '../src/testing/server-keys.ts';

const SESSIONS = Number(process.argv[2] ?? 400);
const EVENTS = 50;
const CLIENTS = 8;
const TICK_MS = 10;
const folder = mkdtempSync(join(tmpdir(), 'assay-intake-'));

/** A request, calls of a tool with their results of 1 kB, and an answer. */
function transcript(session: string, began: number): string {
  const lines = Array.from({ length: EVENTS }, (_, i) => {
    const entry = {
      sessionId: session,
      cwd: `/work/project-${began % 40}`,
      version: '2.1.0',
      isSidechain: false,
      uuid: `${session}-${i}`,
      parentUuid: i === 0 ? null : `${session}-${i - 1}`,
      timestamp: new Date(1.76e12 + began * 60_000 + i * 1000).toISOString(),
    };
    if (i === 0)
      return { ...entry, type: 'user', message: { role: 'user', content: `Make part ${began} work` } };
    if (i % 2 === 0) {
      const content = [
        { type: 'tool_result', tool_use_id: `t${i - 1}`, content: 'a line of output\n'.repeat(60) },
      ];
      return { ...entry, type: 'user', message: { role: 'user', content } };
    }
    const call = { type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command: 'npm test' } };
    const content = i === EVENTS - 1 ? [{ type: 'text', text: 'It works now.' }] : [call];
    const usage = { input_tokens: 100, output_tokens: 20 };
    const message = { id: `${session}-m${i}`, role: 'assistant', model: 'claude-sonnet-4-5', content, usage };
    return { ...entry, type: 'assistant', message };
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Of all threads, or of the one that answers. */
function processorMs(pid: number | undefined, part: 'all' | 'answering' = 'all'): number {
  const file = part === 'all' ? `/proc/${pid}/stat` : `/proc/${pid}/task/${pid}/stat`;
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const child = spawn(
  process.execPath,
  [join(import.meta.dirname, '../src/server/testing/serve-child.ts'), folder],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
try {
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const url = withoutKey(String(line));
  const send = async (session: string, body: string) => {
    const answer = await keyedFetch(new URL(`/api/v1/sessions/${session}/events?offset=0`, url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    });
    if (!answer.ok) throw new Error(`answered with ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const stored = async () => {
    const answer = await keyedFetch(new URL('/api/v1/sessions/summary?by=agent', url));
    const { groups } = (await answer.json()) as { groups: { sessions: number }[] };
    return groups.reduce((sum, group) => sum + group.sessions, 0);
  };
  const run = async (from: number, count: number) => {
    const waiting = Array.from({ length: count }, (_, i) => from + i);
    const client = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
        await send(`intake-${next}`, transcript(`intake-${next}`, next));
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    while ((await stored()) < from + count) await sleep(1000);
  };
  // What is done first is compiled first.
  await run(0, 50);
  const before = processorMs(child.pid);
  const answeringBefore = processorMs(child.pid, 'answering');
  await run(50, SESSIONS);
  const took = (processorMs(child.pid) - before) / SESSIONS;
  const answering = (processorMs(child.pid, 'answering') - answeringBefore) / SESSIONS;
  const text = transcript('floor', 1);
  const began = process.cpuUsage();
  for (let i = 0; i < SESSIONS; i += 1) for (const line of text.trimEnd().split('\n')) JSON.parse(line);
  const { user, system } = process.cpuUsage(began);
  const floor = (user + system) / 1000 / SESSIONS;
  const rate = 1000 / took;
  process.stdout.write(
    `${SESSIONS} sessions of ${EVENTS} events and ${Math.round(Buffer.byteLength(text) / 1000)} kB, ${CLIENTS} clients; kept, scored and stored\n` +
      `floor: JSON.parse of every line   ${floor.toFixed(2)} ms of processor a session\n` +
      `assay, all threads                ${took.toFixed(2)} ms of processor a session  ${(took / floor).toFixed(0)} × floor\n` +
      `of it the thread that answers     ${answering.toFixed(2)} ms\n` +
      `a core takes ${rate.toFixed(0)} sessions or ${(rate * EVENTS).toFixed(0)} events a second\n`,
  );
} finally {
  child.kill('SIGKILL');
  await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
