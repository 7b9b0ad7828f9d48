import { findSources, type SessionSource } from '../../session/ingest/files/find-sources.ts';
import type { Machine } from './session-request.ts';

/** Where the agents of this machine keep their sessions, and what is there. */
export function listSources({ home, environment }: Machine): readonly SessionSource[] {
  return findSources(home, environment);
}
