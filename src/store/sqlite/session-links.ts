/**
 * Ids of sessions are packed with the rest of a row; a table beside it leads from an id to the sessions that have it, and to
 * those that were started by it. It is only a way to find them: what a row says decides.
 */
import { createHash } from 'node:crypto';
import type { SessionRow } from '../session-row.ts';
import type { Connection } from './connection.ts';
import { unpackJson } from './unpack-json.ts';

export const LINK_KINDS = { sessionId: 0, parentSessionId: 1 } as const;
export type LinkKind = keyof typeof LINK_KINDS;

const ADD = 'INSERT OR IGNORE INTO session_link (kind, hash, session) VALUES (?, ?, ?)';

const HASH_BYTES = 6;

export function linkHash(id: string): number {
  return createHash('sha256').update(id).digest().readUIntBE(0, HASH_BYTES);
}

/** Inside the transaction that adds the row. */
export function linkSession(connection: Connection, rowid: number, row: Pick<SessionRow, LinkKind>): void {
  for (const [name, kind] of Object.entries(LINK_KINDS)) {
    const id = row[name as LinkKind];
    if (id !== undefined) connection.run(ADD, [kind, linkHash(id), rowid]);
  }
}

/** For the migration: what the packed part of a row has at a place, as a link. Damage leads nowhere. */
export function defineLinks(connection: Connection): void {
  connection.define('link_hash', (rest, place) => {
    try {
      const others = rest instanceof Uint8Array ? unpackJson(rest, { names: [] }) : undefined;
      const id = Array.isArray(others) ? others[Number(place)] : undefined;
      return typeof id === 'string' ? linkHash(id) : null;
    } catch {
      return null;
    }
  });
}
