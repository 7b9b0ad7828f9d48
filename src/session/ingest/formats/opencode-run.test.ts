import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';
import { readFile } from '../reading/read-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { opencodeRunAdapter } from './opencode-run.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const FIXTURES = 'test/fixtures/session';
const PATH = `${FIXTURES}/opencode-run/run.jsonl`;
const folder = tempFolder();

describe('opencode run --format json', () => {
  it('is read among other lines and cut off at its end', async () => {
    const { sessions } = await readFile(PATH);
    expect(sessions[0]).toMatchObject({ sessionId: 'ses_run00000000000000001', agent: 'opencode' });
    expect(usageOfSession(sessions[0])).toEqual({ input: 310, output: 180, cacheRead: 18340, cacheWrite: 0 });
    const lines = readFileSync(PATH, 'utf8').split('\n');
    const records = lines.filter((line) => /^\{.*\}$/.test(line)).map((line) => JSON.parse(line));
    const read = readLines(opencodeRunAdapter, records);
    expect(ofKind(read, 'result').map(({ ok, denied }) => (denied ? 'denied' : ok))).toEqual([
      false,
      'denied',
    ]);
    expect(ofKind(read, 'reply').flatMap(({ stop }) => stop ?? [])).toEqual(['tool', 'end', 'error']);
    expect(read.unknown).toEqual([]);
  });

  it.each(['export/session.json', 'storage/session/proj1/ses_root0000000000000001.json'])(
    'counts once beside its session as it is stored (%s)',
    async (stored) => {
      const path = `${FIXTURES}/opencode/${stored}`;
      const alone = (await readAll([path])).sessions.map(({ facts }) => facts);
      const text = readFileSync(PATH, 'utf8').replaceAll(
        'ses_run00000000000000001',
        alone[0]?.sessionId ?? '',
      );
      const both = await readAll([path, folder.write('run.jsonl', text)]);
      expect(both.sessions.map(({ facts }) => facts)).toEqual(alone);
      expect((await readAll([path, PATH])).sessions).toHaveLength(alone.length + 1);
    },
  );
});
