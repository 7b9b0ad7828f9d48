/** What a fleet is sent, in which disorder, and the rows that have to result. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../../stats/random.ts';
import { contentHash } from '../../store/canonical.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import type { Store } from '../../store/store.ts';
import type { Request } from './fleet.ts';
import type { SentFile } from './fleet-sessions.ts';
import { freshRows } from './stored-rows.ts';

type Chance = Pick<Random, 'below'>;

export function shuffled<T>(values: readonly T[], chance: Chance): T[] {
  const list = [...values];
  for (let i = list.length - 1; i > 0; i -= 1) {
    const j = chance.below(i + 1);
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
  return list;
}

/** As they would come over several ways: sessions in any order, some of their requests twice. */
export function disturbed(files: readonly SentFile[], chance: Chance): (readonly Request[])[] {
  return shuffled(files, chance).map(({ requests }) =>
    requests.flatMap((one) => (chance.below(5) === 0 ? [one, one] : [one])),
  );
}

export function differences(a: readonly string[], b: readonly string[]): string[] {
  return [
    ...a.filter((one) => !b.includes(one)).map((one) => `only stored: ${one}`),
    ...b.filter((one) => !a.includes(one)).map((one) => `not stored: ${one}`),
    ...(a.length === b.length ? [] : [`${a.length} stored, ${b.length} sent`]),
  ];
}

/** All that does not name a place; the keys of objects have no order. */
export function saysOf({ source, sessionId, startedAt, q, costUsd, turns, facts }: SessionRow): string {
  const { runs } = (facts as unknown as { facts: { runs: readonly { readonly file?: string }[] } }).facts;
  const plain = runs.map(({ file: _, ...run }) => run);
  const numbers = [startedAt ?? '', q ?? '', costUsd ?? '', turns ?? ''];
  return `${source} ${sessionId} ${numbers.join(' ')} ${contentHash(plain)}`;
}

export async function storedIn(store: Store): Promise<SessionRow[]> {
  const rows: SessionRow[] = [];
  for await (const row of store.readSessions()) rows.push(row);
  return rows;
}

/** The rows of the same lines when scored from files. */
export async function undisturbed(root: string, files: readonly SentFile[]): Promise<readonly SessionRow[]> {
  for (const { file, text } of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return freshRows(root);
}
