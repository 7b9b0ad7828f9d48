/** Reads everything in a store and reports what was altered or does not fit together. */
import { contentHash } from '../canonical.ts';
import type { SessionRow } from '../schema/session.ts';
import { type Checking, STORED_KINDS, type StoredKind } from '../upkeep.ts';
import { type Engine, Where } from './engine.ts';
import { itemsOf, lastPrunesOf, recordsOf } from './upkeep.ts';

export const FROM_BACKUP =
  'Restore the store from a backup, or copy the readable part with `assay store copy`.';
const SCORE_AGAIN = 'Score its transcript again to rewrite it, or restore the store from a backup.';

export async function checkRecords(engine: Engine, checking: Checking): Promise<void> {
  for (const kind of STORED_KINDS) await guarded(checking, kind, () => checkKind(engine, kind, checking));
  for (const orphan of ORPHANS)
    await guarded(checking, orphan.table, () => checkOrphans(engine, orphan, checking));
}

/** What the database cannot read is damage of the table that it was reading. That it does not answer is none. */
export async function guarded(
  checking: Checking,
  table: string,
  work: () => Promise<void> | void,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'STORE_UNREACHABLE' || code === 'STORE_BUSY') throw error;
    checking.found({ table, what: wordsOf(error), remedy: FROM_BACKUP });
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const AT_ONCE = 500;

/** A batch that has a fault is looked at one by one. */
async function checkKind(engine: Engine, kind: StoredKind, checking: Checking): Promise<void> {
  let done = 0;
  for (let after: string | undefined; ; ) {
    const keys = (await itemsOf(engine, kind, after, AT_ONCE)).map(({ key }) => key);
    if (keys.length === 0) return;
    const records = await recordsOf(engine, kind, keys).catch(() => undefined);
    if (records?.length !== keys.length) for (const key of keys) await checkOne(engine, kind, key, checking);
    else if (kind === 'sessions') checkRevisions(records as SessionRow[], checking);
    done += keys.length;
    checking.progress(kind, done);
    after = keys.at(-1);
  }
}

async function checkOne(engine: Engine, kind: StoredKind, key: string, checking: Checking): Promise<void> {
  const remedy = kind === 'sessions' ? SCORE_AGAIN : FROM_BACKUP;
  const found = (what: string) => checking.found({ table: kind, key, what, remedy });
  try {
    const records = await recordsOf(engine, kind, [key]);
    if (records.length !== 1) found(`the index refers to it, but it exists ${records.length} times`);
    else if (kind === 'sessions') checkRevisions(records as SessionRow[], checking);
  } catch (error) {
    found(wordsOf(error));
  }
}

const HASH = /^[0-9a-f]{64}$/;

/** A revision is the hash of everything else. */
function checkRevisions(rows: readonly SessionRow[], checking: Checking): void {
  for (const { sessionKey: key, scoredAt: _, revision, ...content } of rows)
    if (HASH.test(revision) && contentHash(content) !== revision)
      checking.found({
        table: 'sessions',
        key,
        what: 'its content differs from what was stored',
        remedy: SCORE_AGAIN,
      });
}

type Orphan = { readonly table: string; readonly key: string; readonly of: string; readonly what: string };

const ORPHANS: readonly (Orphan & { readonly about: string })[] = [
  {
    table: 'alert_event',
    key: 'event_id',
    about: 'alert_id',
    of: 'alert',
    what: 'its alert is missing',
  },
  {
    table: 'delivery_attempt',
    key: 'attempt_id',
    about: 'delivery_id',
    of: 'delivery',
    what: 'its delivery is missing',
  },
  {
    table: 'decomposition_text',
    key: 'id',
    about: 'id',
    of: 'decomposition',
    what: 'the request of this text is missing',
  },
];

const PERHAPS_LATER =
  'It may still arrive. Otherwise `assay store prune` deletes it when it expires, or restore the store from a backup.';

async function checkOrphans(
  engine: Engine,
  { table, key, about, of, what }: (typeof ORPHANS)[number],
  checking: Checking,
): Promise<void> {
  checking.progress('what belongs together', 0);
  const { current } = engine.dialect;
  // Requests that were deleted leave their texts behind until these are.
  const pruned = (await lastPrunesOf(engine)).find(({ kind }) => kind === 'decompositions')?.before;
  const where = new Where(engine.dialect)
    .and('at >= ?', of === 'decomposition' ? pruned : undefined)
    .when(true, `${about} NOT IN (SELECT ${about} FROM ${current(of)})`);
  for (const [name] of await engine.all(`SELECT ${key} FROM ${current(table)}${where.sql}`, where.values))
    checking.found({ table, key: String(name), what, remedy: PERHAPS_LATER });
}
