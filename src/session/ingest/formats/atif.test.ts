import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../files/find-files.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { atifAdapter } from './atif.ts';
import { expectWellFormed, ofKind, readDocument, sessionsOf } from './testing/read-events.ts';

const path = 'test/fixtures/session/atif/trajectory.json';
const read = readDocument(atifAdapter, JSON.parse(readFileSync(path, 'utf8')), path);

describe('ATIF trajectories', () => {
  it('are a session and those of its sub-agents', () => {
    expectWellFormed(read);
    expect(read.unknown).toEqual([]);
    expect(sessionsOf(read)).toEqual(['0190dddd-0000-4000-8000-000000000001', 'child-1']);
    expect(ofKind(read, 'session').at(-1)).toMatchObject({
      trigger: 'subagent',
      parentSessionId: '0190dddd-0000-4000-8000-000000000001',
    });
  });

  it('leave out what is repeated from an earlier trajectory and what the system says', () => {
    const own = read.events.filter(({ session }) => session?.startsWith('0190'));
    expect(own.map(({ kind, line }) => [kind, line])).toEqual([
      ['session', 1],
      ['user', 2],
      ['reply', 3],
      ['call', 3],
      ['result', 3],
      ['reply', 5],
    ]);
  });

  it('take cached input out of the input, and leave success to the text', () => {
    expect(ofKind(read, 'reply')[0]).toMatchObject({
      model: 'gpt-5-mini',
      provider: 'openai',
      usage: { input: 400, output: 40, cacheRead: 600, cacheWrite: 0 },
      costUsd: 0.001,
    });
    expect(ofKind(read, 'result')[0]).not.toHaveProperty('ok');
  });
});

describe('the folder of a trial', () => {
  const folder = tempFolder();

  it('has what its agent printed, and no other text', () => {
    for (const name of [
      't1/result.json',
      't1/agent/codex.txt',
      't1/verifier/test-stdout.txt',
      't2/agent/codex.txt',
    ])
      folder.write(name, '{}');
    const files = filesOf([folder.path], ({ path }) => {
      throw new Error(path);
    });
    expect(files).toEqual(['t1/agent/codex.txt', 't1/result.json'].map((name) => join(folder.path, name)));
  });
});
