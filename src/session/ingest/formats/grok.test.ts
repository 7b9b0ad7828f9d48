import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { formatNamed } from './formats.ts';
import { grokAdapter } from './grok.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const grok = formatNamed('grok');

const PATH = 'test/fixtures/session/grok/019f0000-aaaa-7ef0-97d3-000000000001/chat_history.jsonl';
const records = readFileSync(PATH, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as object);

describe('the Grok CLI', () => {
  const read = readLines(grokAdapter, records, PATH);

  it('tells what was typed, and when the person stopped it', () => {
    expect(ofKind(read, 'user').map(({ origin }) => origin)).toEqual(['runtime', 'user', 'user']);
    expect(ofKind(read, 'interrupt')).toHaveLength(1);
    expect(read.unknown).toEqual([]);
    expect(readLines(grokAdapter, [{ type: 'weather' }]).unknown).toEqual(['weather']);
  });

  it('is the session that the summary beside it names, without tokens', async () => {
    const { sessions } = await readFile(PATH);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({
      sessionId: '019f0000-aaaa-7ef0-97d3-000000000001',
      agent: 'grok',
      project: '/work/calc',
    });
    const [run] = sessions[0]?.runs ?? [];
    expect(run?.tools).toMatchObject({ calls: 2, failed: 0, succeeded: 2 });
    expect(run?.models).toMatchObject([{ model: 'grok-4.5', messages: 2, messagesWithoutUsage: 2 }]);
  });

  it('is found where its variable says', () => {
    expect(grok.places?.('/home/me', { GROK_HOME: '/g' })[0]?.place).toBe('/g/sessions');
  });
});
