/** What a server stored, and what scoring the same lines from files stores. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { defaultPorts } from '../../operations/default-ports.ts';
import { readOutcomes } from '../../operations/session/score-read.ts';
import { scoreSessions } from '../../operations/session/score-sessions.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import { openStream, pathOfStream, streamOfPath } from '../../session/live/sent-streams.ts';
import { loadPrices } from '../../session/pricing/load-prices.ts';
import { keyOf, scoreStored } from '../../session/stored-session.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import { sessionRow } from '../../sync.ts';

const WAIT_MS = 20;
/** Streams may have been read just before the last of them was there. */
const LOOK_AGAIN = 50;

export async function storedRows(store: string): Promise<SessionRow[]> {
  const ports = defaultPorts({ store });
  const rows: SessionRow[] = [];
  for await (const row of (await ports.store()).readSessions()) rows.push({ ...row, scoredAt: '' });
  await ports.close();
  return rows.sort((a, b) => (a.sessionKey < b.sessionKey ? -1 : 1));
}

/** What was sent, by the path of its stream. */
export async function sentTexts(store: string): Promise<ReadonlyMap<string, string>> {
  const ports = defaultPorts({ store });
  const { intake } = await ports.store();
  const texts = new Map<string, string>();
  for (const one of (await intake.streams()).streams) {
    const path = pathOfStream(one);
    const pieces: Buffer[] = [];
    for await (const chunk of (await openStream(intake, path))?.chunks() ?? [])
      pieces.push(Buffer.from(chunk));
    texts.set(path, Buffer.concat(pieces).toString());
  }
  await ports.close();
  return texts;
}

export async function sentLines(store: string): Promise<ReadonlySet<string>> {
  return new Set([...(await sentTexts(store)).values()].flatMap((text) => text.split('\n')));
}

type Placed = { readonly facts: SessionFacts; readonly file: FileReading };

/** The rows that scoring the same content from files gives. */
export async function freshRows(
  folder: string,
  named: (one: Placed) => Placed = (one) => one,
): Promise<SessionRow[]> {
  const ports = defaultPorts();
  const from = { paths: [folder], home: '/dev/null/nowhere', environment: {} };
  const repositories = { places: [], environment: {} };
  const prices = await loadPrices();
  const rows: SessionRow[] = [];
  await scoreSessions({ from }, ports, async ({ facts, file, place, delegated }) => {
    const sent = { ...named({ facts: { ...facts, sent: {} }, file }), place, delegated };
    const work = await readOutcomes([{ key: keyOf(sent), facts: sent.facts }], repositories, ports);
    const full = { ...sent, work: work.get(keyOf(sent)) };
    rows.push(sessionRow({ ...full, session: scoreStored(full, { prices }) }, ''));
  });
  await ports.close();
  return rows.sort((a, b) => (a.sessionKey < b.sessionKey ? -1 : 1));
}

/** What was sent to a store, written to files and scored from there. */
export async function rowsOfSent(store: string): Promise<SessionRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sent-'));
  const nameOf = (path: string) =>
    path.startsWith(folder) ? `intake:${path.slice(folder.length + 1)}` : path;
  for (const [path, text] of await sentTexts(store)) {
    const file = join(folder, path.slice('intake:'.length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const rows = await freshRows(folder, ({ facts, file: { place: _, ...file } }) => {
    const path = nameOf(file.path);
    const { project, stream = '' } = streamOfPath(path) ?? {};
    const otlp = /^otlp\/[^/]+/.exec(stream)?.[0];
    return {
      file: { ...file, path, ...(otlp !== undefined && { place: pathOfStream({ project, stream: otlp }) }) },
      facts: {
        ...facts,
        runs: facts.runs.map((run) => (run.file === undefined ? run : { ...run, file: nameOf(run.file) })),
        ...(facts.files && { files: facts.files.map((one) => ({ ...one, path: nameOf(one.path) })) }),
      },
    };
  });
  rmSync(folder, { recursive: true });
  return rows;
}

/** Until the server has scored all that it was sent. */
export async function scoredRows({ store }: { readonly store: string }): Promise<SessionRow[]> {
  for (let before = '', rounds = 1; ; rounds += 1) {
    const stored = await storedRows(store);
    const now = JSON.stringify(stored.map(byKey));
    // Scoring everything again slows down the server under test.
    const isKnown = now === before && rounds % LOOK_AGAIN !== 0;
    const fresh = isKnown ? [] : await rowsOfSent(store);
    if (fresh.length > 0 && now === JSON.stringify(fresh.map(byKey))) return stored;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

function byKey({ sessionKey, revision }: SessionRow): readonly string[] {
  return [sessionKey, revision];
}
