import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digest } from '../../api/schema/digest.ts';
import { rating } from '../../api/schema/session-views.ts';
import { encode } from '../../api/wire.ts';
import type { AssayError } from '../../errors.ts';
import { readRatings } from '../../session/calibration/labels.ts';
import type { PrintedRow } from '../../session/columns.ts';
import {
  CONVENTIONS,
  CORRECTED,
  documentOf,
  talkIn,
} from '../../session/ingest/formats/otlp/testing/talk.ts';
import { openStore } from '../../store/open.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { holdStore } from '../../store/testing/change-store.ts';
import type { Ports, Progress } from '../ports.ts';
import { testPorts } from '../testing/test-ports.ts';
import { digestSessions } from './digest-sessions.ts';
import { explainSession } from './explain-session.ts';
import { listSkipped } from './list-skipped.ts';
import { listAttention } from './needs-attention.ts';
import { sampleSessions } from './sample-sessions.ts';
import { saveRating } from './save-rating.ts';
import { type FullSession, printedRows, scoreSessions } from './score-sessions.ts';
import { surveySessions } from './survey-sessions.ts';

const BAD = '22222222-bbbb-4bbb-8bbb-000000000002';

let home: string;
let store: Store;
let ports: Ports;
let storageFailures: AssayError[];
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'assay-operations-'));
  cpSync(resolve('test/fixtures/session/claude-home'), home, { recursive: true });
  store = await openStore(join(home, 'store.db'));
  storageFailures = [];
  ports = testPorts(() => store, { reportStorageFailure: (error) => void storageFailures.push(error) });
});
afterEach(async () => {
  await store.close();
  rmSync(home, { recursive: true });
});

async function storedSessions() {
  const kept = [];
  for await (const row of store.readSessions()) kept.push(row);
  return kept;
}

const request = () => ({ from: { paths: [home], home, environment: {} } });

describe('operations on sessions, called by a program', () => {
  it('hand out each session when it is scored and keep it once', async () => {
    const taken: FullSession[] = [];
    const { unreadable } = await scoreSessions({ ...request(), keep: true }, ports, (one) => {
      taken.push(one);
    });
    expect(taken).toHaveLength(2);
    expect(unreadable).toEqual([]);
    const stored = await storedSessions();
    expect(stored.map(({ sessionId, q }) => [sessionId, q])).toEqual(
      taken.map(({ session }) => [session.sessionId, session.q]),
    );
  });

  it('keep nothing unless it is asked for', async () => {
    await scoreSessions(request(), ports, () => {});
    expect(await storedSessions()).toEqual([]);
  });

  it('give the same from the store when the transcripts are gone', async () => {
    const before = await surveySessions({ ...request(), keep: true }, ports);
    rmSync(join(home, '.claude'), { recursive: true });
    const after = await surveySessions({ from: 'store' }, ports);
    expect(after.summary).toEqual(before.summary);
    expect(after.looked).toEqual({ in: 'store', address: store.address });
  });

  it('derive the summary from the scores that were handed out', async () => {
    const rows: PrintedRow[] = [];
    const { summary, attention } = await surveySessions(request(), ports, async (asked) => {
      for await (const row of printedRows(asked)) rows.push(row);
    });
    const qs = rows.flatMap(({ q }) => (typeof q === 'number' ? [q] : []));
    expect(summary.n).toBe(rows.length);
    const mean = summary.metrics.find(({ metric }) => metric.id === 'session/q')?.measurement;
    expect(mean).toMatchObject({ value: qs.reduce((sum, q) => sum + q, 0) / qs.length, n: qs.length });
    expect(attention.listed.map(({ sessionId }) => sessionId)).toEqual([BAD]);
    const { listed, inAll } = await listAttention(request(), ports);
    expect({ listed, inAll }).toEqual(attention);
    expect(attention.listed[0]?.statements.map(({ kind }) => kind)).toContain('corrections');
  });

  it('say of a period without sessions that nothing was measured, and of one with some the same as other lists', async () => {
    const until = Date.parse('2026-11-12');
    const digestOf = (end: number) => digestSessions({ ...request(), days: 7, until: end }, ports);
    const full = await digestOf(until);
    const { listed, inAll } = await listAttention(request(), ports);
    expect(full.attention).toEqual({ listed, inAll });
    const empty = digest.parse(encode(digest, await digestOf(0)));
    expect(empty.current).toMatchObject({
      n: 0,
      q: null,
      cost: null,
      coverage: { median: null, without_outcome: null, low_share: null, reason: 'there is no session' },
    });
  });

  it('stop when nobody waits for the result any more', async () => {
    const lines = Array.from({ length: 600 }, (_, i) => [
      { type: 'session', session_id: `s${i}` },
      { type: 'user', session_id: `s${i}`, text: 'Fix it' },
      { type: 'assistant', session_id: `s${i}`, text: 'Done.' },
    ]);
    const path = join(home, 'many.jsonl');
    writeFileSync(
      path,
      lines
        .flat()
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    );
    const stop = new AbortController();
    let taken = 0;
    const many = { from: { paths: [path], home, environment: {} } };
    const scoring = scoreSessions(many, { ...ports, signal: stop.signal }, () => {
      taken += 1;
      stop.abort();
    });
    await expect(scoring).rejects.toMatchObject({ code: 'STOPPED' });
    expect(taken).toBe(1);
  });

  it('stop between files, and between the sessions of the store', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const stopped = {
      ...ports,
      signal: stop.signal,
      progress: ({ done }: Progress) => {
        seen.push(done);
        stop.abort();
      },
    };
    for (const name of ['a', 'b', 'c']) writeFileSync(join(home, `${name}.jsonl`), '{"type":"session"}\n');
    await expect(listSkipped(request(), stopped)).rejects.toMatchObject({ code: 'STOPPED' });
    expect(seen).toEqual([1]);
    await scoreSessions({ ...request(), keep: true }, ports, () => {});
    const taken: FullSession[] = [];
    const again = scoreSessions({ from: 'store' }, stopped, (one) => void taken.push(one));
    await expect(again).rejects.toMatchObject({ code: 'STOPPED' });
    expect(taken).toEqual([]);
  });

  it('explain a session by the beginning of its id, and refuse one that fits none or several', async () => {
    const { session } = await explainSession({ ...request(), id: '2222' }, ports);
    expect(session.sessionId).toBe(BAD);
    for (const id of ['zzzz', ''])
      await expect(explainSession({ ...request(), id }, ports)).rejects.toMatchObject({
        code: 'SESSION_NOT_FOUND',
      });
  });

  it('explain a session of two files from both, and quote lines of either, when only its id is given', async () => {
    const [early, late] = [join(home, 'early.jsonl'), join(home, 'late.jsonl')];
    const lines = talkIn(Object.values(CONVENTIONS)[0] as Parameters<typeof talkIn>[0]).map(
      (span) => `${JSON.stringify(documentOf([span]))}\n`,
    );
    writeFileSync(early, lines.slice(0, 3).join(''));
    writeFileSync(late, lines.slice(3).join(''));
    const from = { ...request().from, paths: [early, late] };
    let scored: FullSession | undefined;
    await scoreSessions({ from, keep: true }, ports, (one) => {
      scored = one;
    });
    const quotes = { environment: {} };
    const explained = await explainSession({ from: { ...from, paths: [] }, id: 'talk', quotes }, ports);
    expect(explained.session.q).toEqual(scored?.session.q);
    const [other] = explained.elsewhere ?? [];
    expect([explained.file.path, other?.path].sort()).toEqual([early, late]);
    const after = other !== undefined && 'after' in other ? other.after : Number.NaN;
    const said = (here: boolean) =>
      explained.quotes?.flatMap(({ line, text }) => (line > after === here ? [text] : []));
    const [inEarly, inLate] = other?.path === early ? [said(true), said(false)] : [said(false), said(true)];
    expect(inEarly?.join()).toContain('shelf 12');
    expect(inLate).toContain(CORRECTED);
  });

  it('keep a rating in the file and in the store, and do not ask for it again', async () => {
    const file = join(home, 'ratings.csv');
    const sample = { ...request(), count: 5, ratings: file, author: 'ada' };
    const { sessions } = await sampleSessions(sample, ports);
    expect(sessions.map(({ isRated }) => isRated)).toEqual([false, false]);
    const saved = await saveRating(
      { sessionId: BAD, rating: 2, note: '=SUM(A1)', author: 'ada', file },
      ports,
    );
    await saveRating(
      { sessionId: sessions[0]?.sessionId ?? '', project: '/work/it', rating: 4, author: 'bo', file },
      ports,
    );
    expect(await store.readRatings({ author: 'bo' })).toMatchObject([{ project: '/work/it' }]);
    expect(sessions.every(({ project }) => project !== undefined)).toBe(true);
    expect(readFileSync(file, 'utf8').split('\r\n')[0]).toBe(
      'session_id,rating,note,author,rated_at,session_key',
    );
    expect(readRatings(file)[0]).toMatchObject({ sessionId: BAD, rating: 2, author: 'ada' });
    expect(await store.readRatings({ kind: 'session' })).toHaveLength(2);
    expect(rating.parse(encode(rating, saved))).toMatchObject({ subject_id: BAD, rating: 2, author: 'ada' });
    const again = await sampleSessions(sample, ports);
    expect(again.sessions.filter(({ isRated }) => isRated).map(({ sessionId }) => sessionId)).toEqual([BAD]);
  });
});

describe('a store that cannot be written', () => {
  it('costs no score, is named once, and what is missing is added the next time', async () => {
    const many = join(home, 'many.jsonl');
    const session = (i: number) =>
      ['user', 'assistant']
        .map((type) => JSON.stringify({ session_id: `s${i}`, type, text: `${type} ${i}` }))
        .join('\n');
    writeFileSync(many, Array.from({ length: 1200 }, (_, i) => session(i)).join('\n'));
    const path = join(home, 'locked.db');
    const locked = await openSqliteStore(path, path, { busyTimeoutMs: 20 });
    const from = { paths: [many], home, environment: {} };
    const score = () =>
      scoreSessions({ from, keep: true }, { ...ports, store: async () => locked }, () => {});
    const held = holdStore(path);
    expect(await score()).toMatchObject({ sessions: 1200 });
    expect(storageFailures.map(({ code }) => code)).toEqual(['STORE_BUSY']);
    expect(storageFailures[0]?.message).toContain('the sessions are not all in the store');
    held.letGo();
    expect(await locked.listSessions()).toHaveLength(0);
    expect(await score()).toMatchObject({ sessions: 1200 });
    expect(await locked.listSessions()).toHaveLength(1200);
    expect(storageFailures).toHaveLength(1);
    await locked.close();
  });

  it('costs no rating: the file has it', async () => {
    const path = join(home, 'locked.db');
    const locked = await openSqliteStore(path, path, { busyTimeoutMs: 20 });
    const held = holdStore(path);
    const file = join(home, 'ratings.csv');
    const saved = { sessionId: 'a', rating: 4, author: 'ada', file };
    await saveRating(saved, { ...ports, store: async () => locked });
    held.letGo();
    await locked.close();
    expect(readRatings(file)).toMatchObject([{ sessionId: 'a', rating: 4 }]);
    expect(storageFailures.map(({ message, remedy }) => [message, remedy])).toEqual([
      [
        expect.stringContaining(`The rating is in ${file}`),
        expect.not.stringContaining('run the same command'),
      ],
    ]);
  });
});
