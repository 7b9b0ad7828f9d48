import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { readFile } from './read-file.ts';
import { transcriptsWithin } from './transcripts-within.ts';

const FIXTURES = 'test/fixtures/session';
const claude = readFileSync(`${FIXTURES}/stream-json/claude.jsonl`, 'utf8');
const copilot = readFileSync(
  `${FIXTURES}/copilot-cli/session-state/5f0c0000-1111-4222-8333-444455556666/events.jsonl`,
  'utf8',
);
const codex = readFileSync(`${FIXTURES}/codex-exec/run.jsonl`, 'utf8');

async function sourcesIn(name: string, text: string) {
  const path = join(mkdtempSync(join(tmpdir(), 'assay-within-')), name);
  writeFileSync(path, text);
  try {
    const { sessions } = await readFile(path);
    return sessions.map((facts) => [facts.source, usageOfSession(facts)?.output]);
  } finally {
    rmSync(join(path, '..'), { recursive: true, force: true });
  }
}

const CLAUDE = [
  ['stream-json', 340],
  ['stream-json', 0],
];

describe('streams inside of other files', () => {
  it('are found in a text field, however deep, among other lines', async () => {
    const stdout = `$ claude -p\nnpm notice\n${claude}\nexit 0`;
    const result = { task: 'calc', attempts: [{ agent: { stdout, stderr: '' } }], reward: 1 };
    expect(await sourcesIn('result.json', JSON.stringify(result, null, 2))).toEqual(CLAUDE);
  });

  it('are found as a list of events, and as the last object alone', async () => {
    const events = claude
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(await sourcesIn('result.json', JSON.stringify({ ok: true, trace: { events } }))).toEqual(CLAUDE);
    const alone = { task: 'calc', agent_result: events.at(-1) };
    expect(await sourcesIn('result.json', JSON.stringify(alone))).toEqual([['stream-json', 340]]);
  });

  it('are found on each line of a file of results', async () => {
    const lines = [claude, codex].map((output, id) => JSON.stringify({ id, output }));
    expect(await sourcesIn('results.jsonl', lines.join('\n'))).toEqual([...CLAUDE, ['codex-exec', 150]]);
  });

  it('are told apart by their records where they have no name of their own', async () => {
    const aider = readFileSync(`${FIXTURES}/aider/stdout.txt`, 'utf8');
    const run = (id: string) => ({ instance_id: id, agent: { name: 'aider', stdout: aider } });
    const path = join(mkdtempSync(join(tmpdir(), 'assay-within-')), 'bench.json');
    writeFileSync(path, JSON.stringify({ runs: [run('a__b-1'), run('a__b-2'), { log: aider }] }));
    const { sessions } = await readFile(path);
    rmSync(join(path, '..'), { recursive: true, force: true });
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([
      'bench:1.runs.2.log',
      'bench:a__b-1',
      'bench:a__b-2',
    ]);
    expect(sessions.map(({ instance }) => instance)).toEqual([undefined, 'a__b-1', 'a__b-2']);
  });

  it('are not made out of what merely looks alike', async () => {
    const other = {
      name: 'a',
      text: '{"type":"x"}\n{"a":1}',
      items: [{ type: 'user', message: { content: 'x' } }],
      turns: [{ role: 'user', message: { content: [{ type: 'text', text: 'x' }] } }],
    };
    expect(await sourcesIn('package.json', JSON.stringify(other))).toEqual([]);
  });
});

it('moves none of the parts of a long list that is no transcript', () => {
  const { shift } = Array.prototype;
  let moved = 0;
  Array.prototype.shift = function counted(this: unknown[]) {
    moved += this.length;
    return shift.call(this);
  };
  try {
    const list = Buffer.from(`[${'{},'.repeat(60_000)}{}]`);
    expect(transcriptsWithin(list, 'list.json', [])).toEqual([]);
  } finally {
    Array.prototype.shift = shift;
  }
  expect(moved).toBeLessThan(60_000);
});

describe('streams inside of logs and reports', () => {
  it('are found in what Docker keeps of a program, a record for each line and several for a long one', async () => {
    const parts = `starting\n${claude}`.match(/[^\n]{1,500}\n?|\n/g) ?? [];
    const log = parts.map((part) =>
      JSON.stringify({ log: part, stream: 'stdout', time: '2026-08-01T10:00:00Z' }),
    );
    log.splice(3, 0, JSON.stringify({ log: 'a warning\n', stream: 'stderr', time: '2026-08-01T10:00:00Z' }));
    expect(await sourcesIn('container-json.log', `${log.join('\n')}\n`)).toEqual(CLAUDE);
  });

  it('are found as the events that an agent keeps and prints alike', async () => {
    const events = copilot
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const stored = await sourcesIn('events.jsonl', copilot);
    expect(stored[0]?.[0]).toBe('copilot-cli');
    expect(await sourcesIn('result.json', JSON.stringify({ reward: 1, events }))).toEqual(stored);
  });

  it('are found in a text field that is no JSON at all', async () => {
    const stdout = readFileSync(`${FIXTURES}/aider/stdout.txt`, 'utf8');
    expect(await sourcesIn('result.json', JSON.stringify({ task: 'calc', stdout }))).toEqual([['aider', 90]]);
  });
});

describe('streams that were made readable', () => {
  const spread = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.stringify(JSON.parse(line), null, 2))
      .join('\n');

  it('are read from objects over several lines, also between other lines and within a field', async () => {
    expect(await sourcesIn('out.json', spread(claude))).toEqual(CLAUDE);
    expect(
      await sourcesIn('out.log', `$ claude -p | jq .\r\n${spread(claude).replaceAll('\n', '\r\n')}`),
    ).toEqual(CLAUDE);
    expect(await sourcesIn('result.json', JSON.stringify({ stdout: spread(codex) }))).toEqual([
      ['codex-exec', 150],
    ]);
  });

  it('are read when only the last object was printed, whatever a job puts around it', async () => {
    const last = spread(claude.trim().split('\n').at(-1) ?? '');
    const stamped = `Run claude\n${last}\ndone`.replaceAll(/^/gm, '2026-08-01T10:00:00.1234567Z ');
    const coloured = last.replaceAll(/^.*$/gm, '\u001b[32m$&\u001b[0m');
    for (const text of [last, stamped, coloured, `$ claude -p\n${last}\n$ `])
      expect(await sourcesIn('job.log', text)).toEqual([['stream-json', 340]]);
  });
});
