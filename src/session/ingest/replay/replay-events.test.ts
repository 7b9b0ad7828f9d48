import { isAbsolute, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { replayEvents } from './replay-events.ts';

const FIXTURES = 'test/fixtures/session';
const folder = tempFolder();

/** Kinds and lines of the events of one session. */
async function heard(file: string, sessionId: string): Promise<string[]> {
  const path = isAbsolute(file) ? file : `${FIXTURES}/${file}`;
  const events = await replayEvents<string[]>(
    path,
    sessionId,
    () => [],
    (list, { kind, line }) => list.push(`${line} ${kind}`),
  );
  return events ?? [];
}

describe('hearing a session again', () => {
  it('tells each event once, without the branches that were left', async () => {
    const events = await heard('pi-v3-tree/session.jsonl', 'v3-a');
    const turns = events.filter((event) => /user|reply/.test(event));
    expect(turns).toEqual([...new Set(turns)]);
    const { sessions } = await readFile(`${FIXTURES}/pi-v3-tree/session.jsonl`);
    const abandoned = sessions[0]?.abandoned.entries ?? 0;
    expect(abandoned).toBeGreaterThan(0);
  });

  it('tells a message that was taken back not at all', async () => {
    const events = await heard('gemini-lines/session.jsonl', 'gm-1');
    expect(events.filter((event) => event.endsWith('user'))).toEqual(['2 user', '12 user']);
  });

  it('tells the sessions of a database apart', async () => {
    const path = join(folder.path, 'sessions.sqlite');
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT)');
    const insert = database.prepare('INSERT INTO transcript_events VALUES (?, ?, ?)');
    for (const [id, texts] of [
      ['a', ['one']],
      ['b', ['two', 'three']],
    ] as const) {
      texts.forEach((text, index) => {
        const message = { role: 'user', content: text };
        insert.run(id, index, JSON.stringify({ type: 'message', id: `${id}${index}`, message }));
      });
    }
    database.close();
    expect(await heard(path, 'a')).toEqual(['1 session', '1 user']);
    expect(await heard(path, 'b')).toEqual(['1 session', '1 user', '2 user']);
  });

  it('finds one session among many, and none under another name', async () => {
    const path = `${FIXTURES}/tau2-bench/results.json`;
    const { sessions } = await readFile(path);
    expect(sessions.length).toBeGreaterThan(1);
    const all = await Promise.all(
      sessions.map(({ sessionId }) => heard('tau2-bench/results.json', sessionId)),
    );
    expect(all.every((events) => events.length > 0)).toBe(true);
    expect(new Set(all.map((events) => events.join())).size).toBe(sessions.length);
    expect(await heard('tau2-bench/results.json', 'nobody')).toEqual([]);
  });
});
