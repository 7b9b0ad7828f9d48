import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { regexWork } from '../../../testing/regex-work.ts';
import { readFile } from '../reading/read-file.ts';
import { antigravityAdapter } from './antigravity.ts';
import { formatNamed } from './formats.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const antigravity = formatNamed('antigravity');

const ID = 'a1000000-0000-4000-8000-000000000001';
const PATH = `test/fixtures/session/antigravity/brain/${ID}/.system_generated/logs/transcript.jsonl`;
const records = readFileSync(PATH, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as object);

describe('a transcript of Antigravity', () => {
  const read = readLines(antigravityAdapter, records, PATH);

  it('gives steps to the calls before them, in order, and to none a call of its own', () => {
    expect(ofKind(read, 'call').map(({ callId, tool, input }) => [callId, tool, input])).toEqual([
      ['line-3/0', 'run_command', { CommandLine: 'pytest' }],
      ['line-3/1', 'view_file', { AbsolutePath: '/work/calc.py' }],
      ['line-6', 'run_command', null],
    ]);
    expect(ofKind(read, 'result').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['line-3/0', false],
      ['line-3/1', false],
      ['line-6', true],
    ]);
    expect(read.unknown).toEqual([]);
  });

  it('is the session of its folder, with the model that was chosen and without tokens', async () => {
    const { sessions } = await readFile(PATH);
    expect(sessions[0]).toMatchObject({ sessionId: ID, agent: 'antigravity' });
    expect(sessions[0]?.runs[0]).toMatchObject({ turns: 1, compactions: 1, end: 'normal' });
    expect(sessions[0]?.runs[0]?.models).toMatchObject([
      { model: 'Gemini 3.5 Flash (Medium)', messages: 2, messagesWithoutUsage: 2 },
    ]);
  });

  it('is found in the folders of the editor and of the CLI', () => {
    const places = antigravity.places?.('/home/me', {}) ?? [];
    expect(places.map(({ place }) => place)).toEqual([
      '/home/me/.gemini/antigravity/brain',
      '/home/me/.gemini/antigravity-cli/brain',
    ]);
    expect(places[0]?.only?.test(`/b/${ID}/.system_generated/logs/transcript.jsonl`)).toBe(true);
  });
});

it('takes few steps for a request that is not closed, and for a model of blanks', () => {
  const setting = 'setting `Model Selection` from a to ';
  for (const start of ['<USER_REQUEST>', setting, `${setting}b`])
    for (const unit of [' ', '\n', start, '</USER_REQUEST', ' to '])
      for (const end of ['', 'x']) {
        const content = start + unit.repeat(20_000 / unit.length) + end;
        const line = { source: 'USER_EXPLICIT', type: 'USER_INPUT', content };
        expect(regexWork(() => readLines(antigravityAdapter, [line], PATH)).slow).toEqual([]);
      }
});
