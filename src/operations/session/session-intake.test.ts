import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../../session/ingest/testing/temp-folder.ts';
import { openStream } from '../../session/live/sent-streams.ts';
import type { Intake } from '../../store/intake.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { SessionIntake } from './session-intake.ts';

const folder = tempFolder();
const NO_NEWS = { onStreams: () => {}, onEnded: () => {}, onFailure: () => {} };
const MUCH = 1e9;

let made = 0;
async function openIntake(maxPages?: number) {
  const store = await openSqliteStore(join(folder.path, `${made++}.db`), undefined, { maxPages });
  onTestFinished(() => store.close());
  return store.intake;
}

const serverOver = (intake: Intake, mostBytes = MUCH) => new SessionIntake(intake, mostBytes, NO_NEWS);

async function textOf(intake: Intake, path: string): Promise<string> {
  const pieces: string[] = [];
  for await (const chunk of (await openStream(intake, path))?.chunks() ?? []) pieces.push(chunk.toString());
  return pieces.join('');
}

const line = (text: string) => Buffer.from(`${text}\n`);

it('stores neither id nor content where a write fails, so that sending it again stores both', async () => {
  const intake = await openIntake(150);
  const server = serverOver(intake);
  const long = Buffer.from(`${'x'.repeat(600_000)}\n`);
  await expect(server.lines({ session: 'a', bytes: long, id: 'one' }, false)).rejects.toMatchObject({
    code: 'STORE_FULL',
  });
  expect(await intake.streams()).toMatchObject({ streams: [] });
  const again = await server.lines({ session: 'a', bytes: line('short'), id: 'one' }, false);
  expect(again).toEqual({ length: 6, added: 6 });
  expect(await textOf(intake, 'intake:events/a.jsonl')).toBe('short\n');
});

it('puts a stream together from requests that overlap, come twice and go to two servers at once', async () => {
  const whole = Array.from({ length: 40 }, (_, i) => `line ${i} ${'x'.repeat(i)}\n`);
  const text = whole.join('');
  const places = [0, ...whole.map((_, i) => whole.slice(0, i + 1).join('').length)];
  const piece = fc.tuple(fc.nat({ max: 39 }), fc.integer({ min: 1, max: 8 }), fc.nat({ max: 1 }));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const intake = await openIntake();
      const servers = [serverOver(intake), serverOver(intake)];
      const send = (from: number, to: number, which: number) => {
        const [offset = 0, end] = [places[from], places[to]];
        return servers[which]?.lines(
          { session: 's', bytes: Buffer.from(text.slice(offset, end)), offset },
          false,
        );
      };
      // Lines that do not continue the stored ones are rejected.
      await Promise.allSettled(
        pieces.map(([from, count, which]) => send(from, Math.min(40, from + count), which)),
      );
      for (let from = 0; from < 40; from += 7) await send(from, Math.min(40, from + 10), from % 2);
      expect(await textOf(intake, 'intake:events/s.jsonl')).toBe(text);
    }),
    { numRuns: 20 },
  );
});

it('reads every line that was acknowledged where some have a place and others go to another server at once', async () => {
  for (let round = 0; round < 20; round++) {
    const intake = await openIntake();
    const [one, two] = [serverOver(intake), serverOver(intake)];
    await Promise.all([
      one.lines({ session: 's', bytes: line(`placed ${'x'.repeat(50)}`), offset: 0 }, false),
      two.lines({ session: 's', bytes: line('next') }, false),
    ]);
    const text = await textOf(intake, 'intake:events/s.jsonl');
    expect(text.split('\n').sort()).toEqual(['', 'next', `placed ${'x'.repeat(50)}`]);
  }
});

it('acknowledges one of two servers that are sent other lines for one place at once, and reads those', async () => {
  const sent = [line('one'), line('two is longer'), Buffer.concat([line('one'), line('more')])];
  for (const [a, b] of [
    [0, 1],
    [1, 0],
    [1, 2],
    [0, 2],
    [2, 0],
  ]) {
    const intake = await openIntake();
    const lines = [sent[a as number], sent[b as number]] as Buffer[];
    const told = await Promise.allSettled(
      lines.map((bytes) => serverOver(intake).lines({ session: 's', bytes, offset: 0 }, true)),
    );
    const text = await textOf(intake, 'intake:events/s.jsonl');
    for (const [i, { status, ...result }] of told.entries()) {
      expect(text.startsWith(String(lines[i])), text).toBe(status === 'fulfilled');
      if (status === 'rejected') expect(result).toMatchObject({ reason: { code: 'STORE_CONFLICT' } });
    }
    expect(told.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await intake.reach({ stream: 'events/s' })).toBe(text.length);
  }
});

it('keeps what two projects send under one name apart', async () => {
  const intake = await openIntake();
  const server = serverOver(intake);
  for (const project of ['shop', 'bank', undefined])
    await server.lines({ session: 's', bytes: line(`of ${project}`), id: '1', project }, false);
  const hex = Buffer.from('shop').toString('hex');
  expect(await textOf(intake, `intake:of/${hex}/events/s.jsonl`)).toBe('of shop\n');
  expect(await textOf(intake, 'intake:events/s.jsonl')).toBe('of undefined\n');
});

it('takes no more than it may hold', async () => {
  const intake = await openIntake();
  await serverOver(intake).lines({ session: 's', bytes: line('12345') }, false);
  const server = serverOver(intake, 10);
  await expect(server.lines({ session: 's', bytes: line('12345') }, false)).rejects.toMatchObject({
    code: 'INTAKE_FULL',
  });
  expect(await server.lines({ session: 's', bytes: line('123') }, false)).toMatchObject({ added: 4 });
});

it('makes the store readable by its owner alone, since it now holds what was said', async () => {
  const path = join(folder.path, 'private.db');
  const store = await openSqliteStore(path);
  onTestFinished(() => store.close());
  chmodSync(path, 0o644);
  await serverOver(store.intake).lines({ session: 's', bytes: line('said') }, false);
  for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o077, file).toBe(0);
});
