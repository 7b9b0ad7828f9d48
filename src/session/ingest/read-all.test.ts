import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTranscriptCache, type TranscriptCache } from './cache/transcript-cache.ts';
import { type ReadAllOptions, readAll } from './read-all.ts';
import { tempFolder } from './testing/temp-folder.ts';
import { toy } from './testing/toy-format.ts';

const folder = tempFolder();
const uuid = (id: string) => `${id}-0000-4000-8000-000000000000`;
const line = (id: string, tokens: number, more: object = {}) =>
  `${JSON.stringify({ toy: 'hello', tokens, id: uuid(id), ...more })}\n`;

async function tokensOf(paths: readonly string[], options: ReadAllOptions = {}) {
  const { sessions } = await readAll(paths, { formats: [toy], ...options });
  return Object.fromEntries(
    sessions.map(({ path, facts }) => [
      `${path.slice(folder.path.length + 1)} ${facts.sessionId}`,
      facts.runs.flatMap(({ models }) => models).reduce((sum, { usage }) => sum + usage.output, 0),
    ]),
  );
}

describe('reading many files', () => {
  it('gives sessions by path, then by place in the file', async () => {
    const b = folder.write(
      'order/b.jsonl',
      line('b1', 1, { session: 'z' }) + line('b2', 1, { session: 'y' }),
    );
    const a = folder.write('order/a.jsonl', line('a1', 1));
    expect(Object.keys(await tokensOf([b, a]))).toEqual([
      'order/a.jsonl a',
      'order/b.jsonl z',
      'order/b.jsonl y',
    ]);
  });

  it('goes on when a file cannot be read', async () => {
    const good = folder.write('good.jsonl', line('good', 1));
    const { sessions, unreadable } = await readAll([good, '/no/such.jsonl'], { formats: [toy] });
    expect([sessions.length, unreadable]).toEqual([
      1,
      [{ path: '/no/such.jsonl', why: '/no/such.jsonl does not exist' }],
    ]);
  });

  it('reads with several threads what it reads with one', async () => {
    const line = (i: number, k: number) =>
      `${JSON.stringify({ type: 'assistant', sessionId: `s${i}`, uuid: uuid(`${i}-${k}`), timestamp: '2026-01-01T00:00:00.000Z', message: { id: `m${i}-${k}`, role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: k } } })}\n`;
    const paths = Array.from({ length: 12 }, (_, i) =>
      folder.write(`threads/${i}.jsonl`, Array.from({ length: 20 }, (_, k) => line(i, k)).join('')),
    );
    const done: number[] = [];
    const one = await readAll(paths, { threads: 1 });
    const two = await readAll(paths, { threads: 3, onProgress: ({ files }) => done.push(files) });
    expect(one.sessions).toHaveLength(12);
    expect(two).toEqual(one);
    expect(done).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  });

  it('reads again with several threads what it reads again with none: sessions that resume others', async () => {
    const line = (of: number, by: number, k: number) =>
      `${JSON.stringify({ type: 'assistant', sessionId: uuid(`${by}`), uuid: uuid(`${of}-${k}`), requestId: `req_${of}_${k}`, timestamp: '2026-01-01T00:00:00.000Z', message: { id: `msg_${of}_${k}`, role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } } })}\n`;
    const lines = (of: number, by: number) => Array.from({ length: 10 }, (_, k) => line(of, by, k)).join('');
    const paths = Array.from({ length: 6 }, (_, i) =>
      folder.write(`resumed/${uuid(`${i}`)}.jsonl`, (i === 0 ? '' : lines(i - 1, i)) + lines(i, i)),
    );
    const here = await readAll(paths, { threads: 0 });
    const usage = here.sessions.flatMap(({ facts }) => facts.runs.flatMap(({ models }) => models));
    expect(usage.reduce((sum, { messages }) => sum + messages, 0)).toBe(60);
    expect(await readAll(paths, { threads: 2 })).toEqual(here);
  });

  it.each([0, 2])('stops reading with %i threads when nobody wants the result any more', async (threads) => {
    const stop = new AbortController();
    const paths = Array.from({ length: 400 }, (_, i) =>
      folder.write(`stopped/${i}.jsonl`, `{"type":"session","session_id":"s${i}"}\n`.repeat(50)),
    );
    const done: number[] = [];
    const reading = readAll(paths, {
      threads,
      signal: stop.signal,
      onProgress: ({ files }) => {
        done.push(files);
        stop.abort();
      },
    });
    await expect(reading).rejects.toMatchObject({ code: 'STOPPED' });
    expect(done.length).toBeLessThan(400);
    await expect(readAll(paths, { threads, signal: stop.signal })).rejects.toMatchObject({ code: 'STOPPED' });
  });

  it('does not wait for a file that never ends', async () => {
    const stop = new AbortController();
    const path = join(folder.path, 'endless');
    execFileSync('mkfifo', [path]);
    const reading = readAll([path], { threads: 0, signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(reading).rejects.toMatchObject({ code: 'STOPPED' });
    // Whoever still waits for it is let go; opened only to write, this would wait for a reader that may never have come.
    closeSync(openSync(path, 'r+'));
  });
});

describe('a file with very many sessions', () => {
  // More than are kept open, resumed, or stay in memory; every tenth goes on after all others began.
  const ids = Array.from({ length: 3000 }, (_, i) => `session-${i}`);
  const again = ids.filter((_, i) => i % 10 === 0);
  const entry = (session: string, k: number) => line(`${session}-${k}`, k, { session });
  const content = [...ids.map((id) => entry(id, 1)), ...again.map((id) => entry(id, 2))].join('');
  const expected = (file: string) =>
    Object.fromEntries(ids.map((id, i) => [`${file} ${id}`, i % 10 === 0 ? 3 : 1]));

  it('has each of them once, where it began, read now or remembered', async () => {
    const path = folder.write('many/all.jsonl', content);
    const cache = openTranscriptCache(join(folder.path, 'many.db'), '1');
    for (const _ of ['read', 'remembered']) {
      const tokens = await tokensOf([path], { cache });
      expect(tokens).toEqual(expected('many/all.jsonl'));
      expect(Object.keys(tokens)).toEqual(Object.keys(expected('many/all.jsonl')));
    }
    appendFileSync(path, entry('session-0', 4));
    expect(await tokensOf([path], { cache })).toMatchObject({ 'many/all.jsonl session-0': 7 });
    cache?.close();
  });

  it('may have a copy, which counts once, and a part elsewhere, which is added', async () => {
    const path = folder.write('twice/all.jsonl', content);
    const copy = folder.write('twice/all.jsonl.bak-1-2', content);
    const part = folder.write('twice/rest.jsonl', entry('session-5', 1) + entry('session-5', 8));
    expect(await tokensOf([copy, part, path])).toEqual({
      ...expected('twice/all.jsonl'),
      'twice/all.jsonl session-5': 9,
    });
  });
});

describe('copies', () => {
  const history = line('a', 1) + line('b', 2) + line('c', 4);

  it('of a whole transcript count once, and the live file has them', async () => {
    const live = folder.write('copy/s.jsonl', history + line('d', 8));
    const checkpoint = folder.write('copy/s.checkpoint.0a1b2c3d.jsonl', history);
    expect(await tokensOf([checkpoint, live])).toEqual({ 'copy/s.jsonl s': 15 });
  });

  it('add what only they have to their session', async () => {
    const live = folder.write('cut/s.jsonl', line('c', 4, { session: 's' }) + line('d', 8, { session: 's' }));
    const before =
      line('a', 1, { session: 's' }) + line('b', 2, { session: 's' }) + line('c', 4, { session: 's' });
    const backup = folder.write('cut/s.jsonl.bak-1-2', before);
    const { sessions } = await readAll([live, backup], { formats: [toy] });
    expect(await tokensOf([live, backup])).toEqual({ 'cut/s.jsonl s': 15 });
    expect(sessions[0]?.facts.runs.map(({ file }) => file).toSorted()).toEqual([backup, undefined]);
  });

  it('are told by identity: equal content under other ids is no copy', async () => {
    const a = folder.write('same/a.jsonl', history);
    const b = folder.write('same/b.jsonl', history.replaceAll('-0000-4000', '-1111-4000'));
    expect(await tokensOf([a, b])).toEqual({ 'same/a.jsonl a': 7, 'same/b.jsonl b': 7 });
  });

  it('are owned by the same files whatever the order, and nothing is counted twice or lost', async () => {
    const files = fc.array(fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(files, fc.array(fc.nat(100)), async (contents, order) => {
        const paths = contents.map((ids, i) =>
          folder.write(`law/${i}.jsonl`, ids.map((id) => line(`e${id}`, 2 ** id)).join('')),
        );
        const shuffled = paths.toSorted(
          (a, b) => (order[paths.indexOf(a)] ?? 0) - (order[paths.indexOf(b)] ?? 0),
        );
        const tokens = await tokensOf(shuffled);
        expect(tokens).toEqual(await tokensOf(paths));
        const ids = new Set(contents.flat());
        expect(Object.values(tokens).reduce((a, b) => a + b, 0)).toBe(
          [...ids].reduce((sum, id) => sum + 2 ** id, 0),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('the cache', () => {
  let count = 0;
  const place = () => join(folder.path, `cache-${++count}/sessions.db`);
  const open = (path: string, version = '1') => openTranscriptCache(path, version) as TranscriptCache;

  async function readWith(path: string, paths: readonly string[], version?: string) {
    const cache = open(path, version);
    try {
      const { remembered, sessions } = await readAll(paths, { formats: [toy], cache });
      const tokens = sessions.flatMap(({ facts }) => facts.runs).flatMap(({ models }) => models);
      return { remembered, tokens: tokens.reduce((sum, { usage }) => sum + usage.output, 0) };
    } finally {
      cache.close();
    }
  }

  it('knows unchanged files, and notices every change', async () => {
    const at = place();
    const file = folder.write('known.jsonl', line('k1', 1) + line('k2', 2));
    expect(await readWith(at, [file])).toEqual({ remembered: 0, tokens: 3 });
    expect(await readWith(at, [file])).toEqual({ remembered: 1, tokens: 3 });
    expect(await readWith(at, [file], '2')).toEqual({ remembered: 0, tokens: 3 });
    expect(await readWith(at, [file], '2')).toEqual({ remembered: 1, tokens: 3 });
    writeFileSync(file, line('k1', 1) + line('k2', 4));
    expect(await readWith(at, [file], '2')).toEqual({ remembered: 0, tokens: 5 });
    const { atimeMs, mtimeMs } = statSync(file);
    writeFileSync(file, line('k1', 2) + line('k2', 4));
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
    expect(await readWith(at, [file], '2')).toEqual({ remembered: 0, tokens: 6 });
  });

  it('does not weigh anew what files share once they have not changed for a while', async () => {
    const at = place();
    const files = ['shared-1', 'shared-2'].map((name) =>
      folder.write(`${name}.jsonl`, line('s1', 1) + line(name, 2)),
    );
    const corpora = (): number => {
      const database = new DatabaseSync(at);
      const [row] = database.prepare('SELECT count(*) AS n FROM corpus').all();
      database.close();
      return Number(row?.n);
    };
    expect(await readWith(at, files)).toEqual({ remembered: 0, tokens: 5 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await readWith(at, files)).toEqual({ remembered: 2, tokens: 5 });
    expect(await readWith(at, files)).toEqual({ remembered: 2, tokens: 5 });
    expect(corpora()).toBe(1);
  });

  it('goes on where a large file was left, and starts anew when its beginning changed', async () => {
    const at = place();
    const pad = { pad: 'x'.repeat(1000) };
    const many = Array.from({ length: 1100 }, (_, i) => line(`m${i}`, 1, pad)).join('');
    const file = folder.write('large.jsonl', many);
    expect(await readWith(at, [file])).toEqual({ remembered: 0, tokens: 1100 });
    appendFileSync(file, line('more', 1000));
    expect(await readWith(at, [file])).toEqual({ remembered: 0, tokens: 2100 });
    const cache = open(at);
    expect(cache.keysOf(file)).toHaveLength(1101);
    cache.close();
    appendFileSync(file, line('yet more', 10_000));
    const content = readFileSync(file, 'utf8').replace('"tokens":1,', '"tokens":5,');
    writeFileSync(file, content);
    expect(await readWith(at, [file])).toEqual({ remembered: 0, tokens: 12_104 });
  });

  it('reads a file anew that was changed anywhere before it grew', async () => {
    const pad = { pad: 'x'.repeat(1000) };
    const lines = Array.from({ length: 1100 }, (_, i) => line(`e${i}`, 1, pad));
    // A change of a single digit, at many places: what is looked at in samples only would miss most of them.
    for (const changed of [1, 137, 550, 871, 1098]) {
      const at = place();
      const file = folder.write(`edited-${changed}.jsonl`, lines.join(''));
      await readWith(at, [file]);
      const edited = lines.with(changed, line(`e${changed}`, 7, pad)).join('');
      writeFileSync(file, edited + line('grown', 1000));
      expect(await readWith(at, [file])).toEqual({ remembered: 0, tokens: 1099 + 7 + 1000 });
    }
  });

  it('notices a change in the middle that leaves size and times as they were', async () => {
    const at = place();
    const pad = { pad: 'x'.repeat(1000) };
    const lines = Array.from({ length: 30 }, (_, i) => line(`t${i}`, 1, pad));
    const file = folder.write('middle.jsonl', lines.join(''));
    const { atimeMs, mtimeMs } = statSync(file);
    await readWith(at, [file]);
    writeFileSync(file, lines.with(15, line('t15', 7, pad)).join(''));
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
    expect(await readWith(at, [file])).toEqual({ remembered: 0, tokens: 36 });
  });

  it('takes nothing that is not what it wrote: damage of any column is read anew, and healed', async () => {
    const pad = { pad: 'x'.repeat(1000) };
    const large = Array.from({ length: 1100 }, (_, i) => line(`d${i}`, 1, pad)).join('');
    const a = folder.write('heal/a.jsonl', large);
    const b = folder.write('heal/b.jsonl', line('d0', 1, pad) + line('h1', 1));
    const fresh = { remembered: 0, tokens: 1101 };
    for (const [table, column] of [
      ['file', 'identity'],
      ['file', 'beside'],
      ['file', 'reading'],
      ['file', 'source'],
      ['file', 'sessions'],
      ['file', 'portions'],
      ['file', 'parts'],
      ['file', 'prefix'],
      ['file', 'checksum'],
      ['file', 'row_checksum'],
      ['progress', 'state'],
      ['entry_keys', 'keys'],
      ['entry_keys', 'part'],
      ['corpus', 'result'],
    ] as const) {
      const at = place();
      writeFileSync(a, large);
      expect(await readWith(at, [a, b])).toEqual(fresh);
      damageColumn(at, table, column);
      if (table === 'progress') appendFileSync(a, line('grown', 5));
      // Together they are another corpus: what each file has must be looked at again.
      if (table === 'entry_keys') expect((await readWith(at, [a, b, more()])).tokens).toBe(1102);
      const tokens = table === 'progress' ? 1106 : 1101;
      expect([table, column, (await readWith(at, [a, b])).tokens]).toEqual([table, column, tokens]);
      expect([table, column, await readWith(at, [a, b])]).toEqual([table, column, { remembered: 2, tokens }]);
    }
  });

  function more(): string {
    return folder.write('heal/more.jsonl', line('h2', 1));
  }

  /** One digit or letter of every row, as a bad disk would change it. */
  function damageColumn(at: string, table: string, column: string): void {
    const database = new DatabaseSync(at);
    const rows = database.prepare(`SELECT rowid, ${column} AS value FROM ${rowsOf(table)}`).all();
    expect(rows.length).toBeGreaterThan(0);
    const update = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${keyOf(table)} = ?`);
    for (const { rowid, value } of rows) update.run(changed(value as never), rowid as never);
    database.close();
  }

  const rowsOf = (table: string) => (table === 'corpus' ? '(SELECT id AS rowid, * FROM corpus)' : table);
  const keyOf = (table: string) => (table === 'corpus' ? 'id' : 'rowid');

  function changed(value: string | number | Uint8Array | null): string | number | Uint8Array {
    if (value === null) return 1;
    if (typeof value === 'number') return value + 1;
    if (typeof value !== 'string') return value.map((byte, i) => (i === 3 ? byte ^ 1 : byte));
    return /\d/.test(value)
      ? value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
      : `${value}x`;
  }

  it('shrinks when files are gone', async () => {
    const at = place();
    const paths = Array.from({ length: 1300 }, (_, i) =>
      folder.write(
        `gone/${i}.jsonl`,
        line(`gone${i}`, 1, { session: `a session with quite a long name ${i}` }),
      ),
    );
    const kept = folder.write('gone/kept.jsonl', line('kept', 1));
    await readWith(at, [...paths, kept]);
    const before = statSync(at).size;
    for (const path of paths) rmSync(path);
    expect(await readWith(at, [kept])).toEqual({ remembered: 1, tokens: 1 });
    expect(statSync(at).size).toBeLessThan(before / 2);
    const database = new DatabaseSync(at);
    for (const table of ['file', 'portion', 'progress', 'entry_keys'])
      expect(database.prepare(`SELECT DISTINCT path FROM ${table} WHERE path <> ?`).all(kept)).toEqual([]);
    database.close();
  });

  it('holds copies that come and go', async () => {
    const at = place();
    const a = folder.write('go/a.jsonl', line('g1', 1) + line('g2', 2));
    const b = folder.write('go/b.jsonl', line('g1', 1) + line('g2', 2) + line('g3', 4));
    expect(await readWith(at, [a])).toEqual({ remembered: 0, tokens: 3 });
    expect(await readWith(at, [a, b])).toEqual({ remembered: 1, tokens: 7 });
    expect(await readWith(at, [a, b])).toEqual({ remembered: 2, tokens: 7 });
    appendFileSync(a, line('g3', 4) + line('g4', 8));
    expect(await readWith(at, [a, b])).toEqual({ remembered: 1, tokens: 15 });
    expect(await readWith(at, [b])).toEqual({ remembered: 1, tokens: 7 });
  });

  it('that is damaged is put aside', async () => {
    const at = place();
    const file = folder.write('damaged.jsonl', line('d1', 1));
    await readWith(at, [file]);
    writeFileSync(at, 'this is no database at all, whatever its name may say'.repeat(100));
    expect(await readWith(at, [file])).toEqual({ remembered: 0, tokens: 1 });
    expect(await readWith(at, [file])).toEqual({ remembered: 1, tokens: 1 });
    expect(openTranscriptCache(join(file, 'x.db'), '1')).toBeUndefined();
  });

  it('keeps no text of a transcript', async () => {
    const at = place();
    await readWith(at, [folder.write('text.jsonl', line('t1', 1, { toy: 'a very private remark' }))]);
    expect(readFileSync(at, 'latin1')).not.toContain('private');
  });

  it('serves several readers at once', async () => {
    const at = place();
    const paths = Array.from({ length: 20 }, (_, i) => folder.write(`at-once/${i}.jsonl`, line(`p${i}`, 1)));
    const all = await Promise.all([1, 2, 3].map(() => readWith(at, paths)));
    expect(all.map(({ tokens }) => tokens)).toEqual([20, 20, 20]);
    expect(await readWith(at, paths)).toEqual({ remembered: 20, tokens: 20 });
  });
});
