import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { readFile } from './read-file.ts';
import { transcriptsWithin } from './transcripts-within.ts';

const FIXTURES = 'test/fixtures/session';
const claude = readFileSync(`${FIXTURES}/stream-json/claude.jsonl`, 'utf8');
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
