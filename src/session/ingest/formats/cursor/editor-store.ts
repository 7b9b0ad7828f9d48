/**
 * The editor keeps everything in one table of keys: `composerData:<session>` has the order of its bubbles, each of which is
 * `bubbleId:<session>:<bubble>`. Older versions have the bubbles in the session. Keys are looked up by range: there may be
 * gigabytes of others.
 */
import type { DatabaseSync } from 'node:sqlite';
import { asObject, asObjects, asText, type JsonObject, parsed } from '../../json/json-fields.ts';
import {
  databaseSessions,
  isDatabaseWith,
  MAX_ROW_BYTES,
  type RowProblem,
  rowsOf,
} from '../database-sessions.ts';
import type { StoreSession } from '../format.ts';

export function isEditorStore(path: string): boolean {
  return isDatabaseWith(path, { cursorDiskKV: ['key', 'value'] });
}

const ASKED = { cursorDiskKV: ['key'] };

export function editorSessions(path: string, problem: RowProblem): Iterable<StoreSession> {
  return databaseSessions(path, problem, ASKED, function* (store) {
    const parents = new Map<string, string>();
    const ids = composerIds(store);
    for (const id of ids)
      for (const child of childrenOf(keptAt(store, `composerData:${id}`))) parents.set(child, id);
    for (const id of ids) yield { id, records: recordsOf(store, id, parents.get(id), problem) };
  });
}

function composerIds(store: DatabaseSync): string[] {
  const sql =
    "SELECT substr(key, 14) AS id FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;'";
  return rowsOf(store, `${sql} ORDER BY key`).flatMap(({ id }) => asText(id) ?? []);
}

function childrenOf(composer: JsonObject | undefined): string[] {
  const { subComposerIds, subagentComposerIds } = composer ?? {};
  return [subComposerIds, subagentComposerIds].flatMap((list) =>
    Array.isArray(list) ? list.flatMap((id) => asText(id) ?? []) : [],
  );
}

function* recordsOf(
  store: DatabaseSync,
  id: string,
  parent: string | undefined,
  problem: RowProblem,
): Generator<JsonObject> {
  const composer = keptAt(store, `composerData:${id}`);
  if (composer === undefined) {
    problem('row');
    return;
  }
  yield { composer: { ...composer, composerId: id, parent, conversation: undefined } };
  const inline = asObjects(composer.conversation);
  for (const bubble of inline) yield { bubble };
  if (inline.length === 0)
    for (const { bubbleId } of asObjects(composer.fullConversationHeadersOnly)) {
      const bubble = keptAt(store, `bubbleId:${id}:${asText(bubbleId) ?? ''}`);
      if (bubble !== undefined) yield { bubble };
    }
  yield { composer: { status: composer.status ?? null, ended: true } };
}

function keptAt(store: DatabaseSync, key: string): JsonObject | undefined {
  const sql = 'SELECT value FROM cursorDiskKV WHERE key = ? AND octet_length(value) <= ?';
  const value = rowsOf(store, sql, [key, MAX_ROW_BYTES])[0]?.value;
  return asObject(parsed(value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value));
}
