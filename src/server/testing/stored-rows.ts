/** What a server stored, and what scoring the same files anew stores. */
import { join } from 'node:path';
import { defaultPorts } from '../../operations/default-ports.ts';
import { askAbout } from '../../operations/session/score-read.ts';
import { scoreSessions } from '../../operations/session/score-sessions.ts';
import { loadPrices } from '../../session/pricing/load-prices.ts';
import { keyOf, scoreStored } from '../../session/stored-session.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import { sessionRow } from '../../sync.ts';
import type { TestServer } from './test-server.ts';

const WAIT_MS = 20;
/** Files may have been read just before the last of them was there. */
const LOOK_AGAIN = 50;

export async function storedRows(store: string): Promise<SessionRow[]> {
  const ports = defaultPorts({ store });
  const rows: SessionRow[] = [];
  for await (const row of (await ports.store()).readSessions()) rows.push({ ...row, scoredAt: '' });
  await ports.close();
  return rows.sort((a, b) => (a.sessionKey < b.sessionKey ? -1 : 1));
}

/** As the server scores what it was sent. */
export async function freshRows(folder: string): Promise<SessionRow[]> {
  const ports = defaultPorts();
  const from = { paths: [folder], home: '/dev/null/nowhere', environment: {} };
  const repositories = { places: [], environment: {} };
  const prices = await loadPrices();
  const rows: SessionRow[] = [];
  await scoreSessions({ from }, ports, async ({ facts, file, place, delegated }) => {
    const sent = { facts: { ...facts, sent: {} }, file, place, delegated };
    const work = await askAbout([{ key: keyOf(sent), facts: sent.facts }], repositories, ports);
    const full = { ...sent, work: work.get(keyOf(sent)) };
    rows.push(sessionRow({ ...full, session: scoreStored(full, { prices }) }, ''));
  });
  await ports.close();
  return rows.sort((a, b) => (a.sessionKey < b.sessionKey ? -1 : 1));
}

/** Until the server has scored all that it was sent. */
export async function scoredRows({
  store,
  folder,
}: Pick<TestServer, 'store' | 'folder'>): Promise<SessionRow[]> {
  for (let before = '', rounds = 1; ; rounds += 1) {
    const stored = await storedRows(store);
    const now = JSON.stringify(stored.map(byKey));
    // Scoring all of it again is much work, and takes its time from the server that is waited for.
    const isKnown = now === before && rounds % LOOK_AGAIN !== 0;
    const fresh = isKnown ? [] : await freshRows(join(folder, 'spool'));
    if (fresh.length > 0 && now === JSON.stringify(fresh.map(byKey))) return stored;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

function byKey({ sessionKey, revision }: SessionRow): readonly string[] {
  return [sessionKey, revision];
}
