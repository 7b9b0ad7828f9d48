import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from './session/ingest/testing/temp-folder.ts';
import { openStore } from './store/open.ts';
import type { SessionRow } from './store/schema/session.ts';
import type { Store } from './store/store.ts';
import { storedIn, sync } from './sync.ts';

const LINES = readFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', 'utf8').split(/(?<=\n)/);
const folder = tempFolder();

async function openedStore(name = 'store'): Promise<Store> {
  const store = await openStore(join(folder.path, `${name}.db`));
  onTestFinished(() => store.close());
  return store;
}

const run = (store: Store, path: string, now: () => number) =>
  sync(
    store,
    { files: [path], scoring: {} },
    { now: () => new Date(now()), signal: new AbortController().signal, progress: () => {} },
  );

it('stores what it read last, also where another sync began later and ended earlier', async () => {
  const path = join(folder.path, '5f0c.jsonl');
  const [first, second] = [await openedStore(), await openedStore()];
  const index = first.transcripts;
  if (index === undefined) throw new Error('no index');
  const { notes } = index;
  index.notes = async () => {
    const before = await notes.call(index);
    writeFileSync(path, LINES.slice(0, 8).join(''));
    await run(second, path, () => 1_005_000);
    writeFileSync(path, LINES.join(''));
    return before;
  };
  const times = [1_000_000];
  await run(first, path, () => times.pop() ?? 1_010_000);
  expect(await revisions(first)).toEqual(await revisionsAlone(path));
});

it.each(['a', 'z'])(
  'keeps a session whose file was moved to a folder named %s, and goes on with it',
  async (name) => {
    const store = await openedStore(name);
    const [path, moved] = [join(folder.path, '5f0c.jsonl'), join(folder.path, name, '5f0c.jsonl')];
    mkdirSync(join(folder.path, name));
    writeFileSync(path, LINES.slice(0, 8).join(''));
    await run(store, path, Date.now);
    renameSync(path, moved);
    await run(store, moved, Date.now);
    expect(await revisions(store)).toEqual(await revisionsAlone(moved));
    appendFileSync(moved, LINES.slice(8).join(''));
    await run(store, moved, Date.now);
    expect(await revisions(store)).toEqual(await revisionsAlone(moved));
  },
);

const revisions = async (store: Store) => (await store.listSessions()).map(({ revision }) => revision);

async function revisionsAlone(path: string): Promise<string[]> {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  await run(store, path, Date.now);
  return revisions(store);
}

it('takes a session for over a day after its last line, though its file is the same', async () => {
  const path = join(folder.path, '5f0c.jsonl');
  const open = LINES.slice(0, 8);
  const last = Date.parse(open.flatMap((line) => JSON.parse(line).timestamp ?? []).at(-1) as string);
  writeFileSync(path, open.join(''));
  onTestFinished(() => void vi.useRealTimers());
  const store = await openedStore();
  const endAt = async (hours: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: last + hours * 3_600_000 });
    await run(store, path, Date.now);
    const [row] = await store.listSessions();
    const { facts } = storedIn((await store.readSession(row?.sessionKey ?? '')) as SessionRow);
    return facts.runs.at(-1)?.end;
  };
  expect([await endAt(1), await endAt(23), await endAt(25)]).toEqual(['open', 'open', 'cut-off']);
});
