import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';
import { cursorTranscriptAdapter } from './cursor-transcript.ts';
import { formatNamed } from './formats.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const cursorTranscript = formatNamed('cursor-transcript');

const SESSION = 'c2000000-0000-4000-8000-000000000001';
const FOLDER = `test/fixtures/session/cursor-transcript/agent-transcripts/${SESSION}`;
const PATH = `${FOLDER}/${SESSION}.jsonl`;
const records = readFileSync(PATH, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as object);

describe('a transcript of Cursor', () => {
  const read = readLines(cursorTranscriptAdapter, records, PATH);

  it('tells what was typed from what the program added', () => {
    expect(ofKind(read, 'user').map(({ origin, text }) => [origin, text.split('\n')[0]])).toEqual([
      ['runtime', '<user_info>'],
      ['user', 'Fix the tests.'],
    ]);
    expect(read.unknown).toEqual([]);
  });

  it('gives results to calls in their order, and none to those that have none', () => {
    expect(ofKind(read, 'result').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['line-3/0', false],
      ['line-3/1', undefined],
    ]);
    expect(ofKind(read, 'call')).toHaveLength(3);
    expect(ofKind(read, 'reply').map(({ textMissing }) => textMissing)).toEqual([undefined, true, undefined]);
  });

  it('has sub-agents in files of their own, and never knows tokens', async () => {
    const { sessions } = await readAll(globSync(`${FOLDER}/**/*.jsonl`));
    expect(sessions.map(({ facts }) => [facts.sessionId, facts.parentSessionId])).toEqual([
      [SESSION, undefined],
      ['child1', SESSION],
    ]);
    const [run] = sessions[0]?.facts.runs ?? [];
    expect(run?.end).toBe('normal');
    expect(run?.models[0]?.messagesWithoutUsage).toBe(3);
  });

  it('names blocks and roles it does not know', () => {
    const strange = [
      { role: 'assistant', message: { content: [{ type: 'hologram' }] } },
      { role: 'oracle', message: { content: [] } },
    ];
    expect(readLines(cursorTranscriptAdapter, strange).unknown).toEqual(['block hologram', 'oracle']);
  });

  it('is found in the folders of projects', () => {
    const [place] = cursorTranscript.places?.('/home/me', {}) ?? [];
    expect(place?.place).toBe('/home/me/.cursor/projects');
    expect(place?.only?.test('/home/me/.cursor/projects/p/agent-transcripts/a/a.jsonl')).toBe(true);
    expect(place?.only?.test('/home/me/.cursor/projects/p/terminals/1.jsonl')).toBe(false);
  });
});
