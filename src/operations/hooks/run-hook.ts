/**
 * What an agent's hook does: it reports the end of a session to a server that follows it, or scores the session itself.
 */
import { statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { makeOwnFolder } from '../../own-folder.ts';
import { isFollowed, markEnded } from '../../session/live/hook-marks.ts';
import type { Ports } from '../ports.ts';
import { type SyncSessionsRequest, syncSessions } from '../session/ask-sessions.ts';

export type HookRun = {
  /** What the agent said, in JSON. */
  readonly said: string;
  /** Where word is left for others. */
  readonly marks: string;
  readonly sessions: SyncSessionsRequest;
};

/** An agent that answers every few seconds is not scored after each answer. */
const EVERY_MS = 30_000;

export async function runHook(
  { said, marks, sessions }: HookRun,
  ports: Ports,
): Promise<'left to others' | 'scored' | 'nothing to do'> {
  const { path, hasEnded } = readSaid(said);
  if (path === undefined || !makeOwnFolder(marks)) return 'nothing to do';
  if (hasEnded) markEnded(marks, path);
  if (isFollowed(marks)) return 'left to others';
  const last = join(marks, 'scored');
  const now = ports.now().getTime();
  const isRecent = now - (statSync(last, { throwIfNoEntry: false })?.mtimeMs ?? 0) < EVERY_MS;
  if (isRecent && !hasEnded) return 'nothing to do';
  writeFileSync(last, '');
  await syncSessions(sessions, ports);
  return 'scored';
}

function readSaid(said: string): { readonly path?: string; readonly hasEnded: boolean } {
  try {
    const { transcript_path: path, hook_event_name: name } = JSON.parse(said);
    const isPath = typeof path === 'string' && isAbsolute(path) && path.length < 4096;
    return { ...(isPath && { path }), hasEnded: name === 'SessionEnd' };
  } catch {
    return { hasEnded: false };
  }
}
