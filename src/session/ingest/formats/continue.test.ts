import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { continueAdapter } from './continue.ts';
import { formatNamed } from './formats.ts';
import { ofKind, readDocument } from './testing/read-events.ts';

const continueDev = formatNamed('continue');

const PATH = 'test/fixtures/session/continue/session.json';
const ID: string = JSON.parse(readFileSync(PATH, 'utf8')).sessionId;
const { write } = tempFolder();

describe('a session of Continue', () => {
  const read = readDocument(continueAdapter, JSON.parse(readFileSync(PATH, 'utf8')));

  it('has results in the states of its calls or in messages of their own', () => {
    expect(ofKind(read, 'result').map(({ callId, ok, denied }) => [callId, denied ? 'denied' : ok])).toEqual([
      ['c1', false],
      ['c2', 'denied'],
      ['c3', undefined],
    ]);
    expect(ofKind(read, 'call').map(({ input }) => input)).toEqual([
      { command: 'pytest' },
      {},
      { filepath: 'a.py' },
    ]);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(read.unknown).toEqual([]);
  });

  it('has the tokens and the cost of the whole session', async () => {
    const { sessions } = await readFile(PATH);
    expect(sessions[0]).toMatchObject({
      agent: 'continue',
      project: '/work/calc',
      declaredUsage: { input: 2500, output: 300, cacheRead: 6000, cacheWrite: 500 },
      declaredCostUsd: 0.04,
      runs: [{ turns: 1, end: 'normal', finalReply: 'text' }],
    });
  });

  it('began when the list of all sessions says', async () => {
    const path = write('s-1.json', readFileSync(PATH, 'utf8').replaceAll(ID, 's-1'));
    const list = [
      { sessionId: 'other', dateCreated: '1700000000000' },
      { sessionId: 's-1', dateCreated: '1770000000000' },
    ];
    write('sessions.json', JSON.stringify(list));
    expect((await readFile(path)).sessions[0]?.runs[0]?.startedAt).toBe(1_770_000_000_000);
  });

  it('is found beside an index that is none', () => {
    const [place] = continueDev.places?.('/home/me', { CONTINUE_GLOBAL_DIR: '/c' }) ?? [];
    expect(place?.place).toBe('/c/sessions');
    expect(place?.only?.test('/c/sessions/a.json')).toBe(true);
    expect(place?.only?.test('/c/sessions/sessions.json')).toBe(false);
  });
});
