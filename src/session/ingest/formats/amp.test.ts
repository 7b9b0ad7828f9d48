import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { ampAdapter } from './amp.ts';
import { formatNamed } from './formats.ts';
import { ofKind, readDocument } from './testing/read-events.ts';

const amp = formatNamed('amp');

const ID = 'T-0190aaaa-0000-4000-8000-000000000001';
const PATH = `test/fixtures/session/amp/${ID}.json`;

describe('a thread of Amp', () => {
  const read = readDocument(ampAdapter, JSON.parse(readFileSync(PATH, 'utf8')));

  it('tells a failed command, a refusal and a failure', () => {
    expect(ofKind(read, 'result').map(({ callId, ok, denied }) => [callId, denied ? 'denied' : ok])).toEqual([
      ['toolu_1', false],
      ['toolu_2', 'denied'],
      ['toolu_3', false],
    ]);
    expect(read.unknown).toEqual([]);
  });

  it('has the tokens of its messages, without the cached input in the input, and ends as it was left', async () => {
    const { sessions } = await readFile(PATH);
    expect(sessions[0]).toMatchObject({ sessionId: ID, agent: 'amp', project: '/work/calc' });
    expect(usageOfSession(sessions[0])).toEqual({
      input: 22,
      output: 220,
      cacheRead: 10900,
      cacheWrite: 900,
    });
    expect(sessions[0]?.runs[0]).toMatchObject({ turns: 1, interrupts: 1, end: 'aborted' });
  });

  it('is found below the folder of data', () => {
    const [place] = amp.places?.('/home/me', {}) ?? [];
    expect(place?.place).toBe('/home/me/.local/share/amp/threads');
    expect(place?.only?.test(`/home/me/.local/share/amp/threads/${ID}.json`)).toBe(true);
  });
});
