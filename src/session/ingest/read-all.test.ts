import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  // Every tenth goes on after all others began.
  const ids = Array.from({ length: 3000 }, (_, i) => `session-${i}`);
  const again = ids.filter((_, i) => i % 10 === 0);
  const entry = (session: string, k: number) => line(`${session}-${k}`, k, { session });
  const content = [...ids.map((id) => entry(id, 1)), ...again.map((id) => entry(id, 2))].join('');
  const expected = (file: string) =>
    Object.fromEntries(ids.map((id, i) => [`${file} ${id}`, i % 10 === 0 ? 3 : 1]));

  it('has each of them once, where it began', async () => {
    const path = folder.write('many/all.jsonl', content);
    const tokens = await tokensOf([path]);
    expect(tokens).toEqual(expected('many/all.jsonl'));
    expect(Object.keys(tokens)).toEqual(Object.keys(expected('many/all.jsonl')));
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
