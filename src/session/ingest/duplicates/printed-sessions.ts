/** Sessions that a run printed and whose agent's own store was read as well: only the store's copy counts. */
import { FORMATS } from '../formats/formats.ts';
import { hashKey } from './entry-keys.ts';
import type { FoundSession } from './resolve-duplicates.ts';

const UNIQUE_ID_CHARS = 32;

type File<Session> = { readonly path: string; readonly sessions: readonly Session[] };

const PRINTED = new Map(FORMATS.map(({ name, printed }) => [name, printed]));

function isPrinted({ path, sessions }: File<FoundSession>): boolean {
  const printed = PRINTED.get(sessions[0]?.source ?? '');
  return typeof printed === 'function' ? printed(path) : printed === true;
}

/** What is left of files that lose something by it. */
export function withoutPrinted<Session extends FoundSession>(
  files: readonly File<Session>[],
): Map<string, readonly Session[]> {
  const printed = files.filter(isPrinted);
  if (printed.length === 0 || printed.length === files.length) return new Map();
  const stored = new Set(
    files
      .filter((file) => !isPrinted(file))
      .flatMap(({ sessions }) => sessions.map(({ agent, sessionId }) => keyOf(agent, sessionId))),
  );
  // A sub-agent goes with its parent: the store has it under another name.
  const isStored = ({ agent, sessionId, parentSessionId }: FoundSession): boolean =>
    [sessionId, parentSessionId].some((id) => id !== undefined && stored.has(keyOf(agent, id)));
  return new Map(
    printed
      .filter(({ sessions }) => sessions.some(isStored))
      .map(({ path, sessions }) => [path, sessions.filter((one) => !isStored(one))]),
  );
}

/** Long ids are globally unique. Short ones are unique per agent, and exports name agents differently. */
function keyOf(agent: string | undefined, session: string): number {
  return hashKey(session.length >= UNIQUE_ID_CHARS ? session : `${agent ?? ''}\n${session}`);
}
