/** Sessions that a run printed and whose agent's own store is among the files as well: they count there alone. */
import type { SessionFacts } from '../../evidence.ts';
import { FORMATS } from '../formats/formats.ts';
import { factsIn, type KeptSessions, keepSessions } from '../reading/kept-sessions.ts';
import type { Spill } from '../reading/spill-list.ts';
import { hashKey } from './entry-keys.ts';

const UNIQUE_ID_CHARS = 32;

type Kept = { readonly path: string; readonly kept: KeptSessions };

const PRINTED = new Map(FORMATS.map(({ name, printed }) => [name, printed]));

function isPrinted({ path, kept }: Kept): boolean {
  const printed = kept.source === undefined ? undefined : PRINTED.get(kept.source);
  return typeof printed === 'function' ? printed(path) : printed === true;
}

/** Only files that lose something are in the result. */
export function withoutPrinted(files: readonly Kept[], spill: Spill | undefined): Map<string, KeptSessions> {
  const left = new Map<string, KeptSessions>();
  const printed = new Set(files.filter(isPrinted));
  if (printed.size === 0 || printed.size === files.length) return left;
  const stored = storedSessions(files.filter((file) => !printed.has(file)));
  for (const { path, kept } of printed) {
    if (![...factsIn(kept)].some((facts) => isStored(facts, stored))) continue;
    left.set(path, keepSessions(restOf(kept, stored), spill));
  }
  return left;
}

function storedSessions(files: readonly Kept[]): Set<number> {
  const stored = new Set<number>();
  for (const { kept } of files)
    for (const { agent, sessionId } of factsIn(kept)) stored.add(keyOf(agent, sessionId));
  return stored;
}

function* restOf(kept: KeptSessions, stored: ReadonlySet<number>): Generator<SessionFacts> {
  for (const facts of factsIn(kept)) if (!isStored(facts, stored)) yield facts;
}

/** A sub-agent goes with its parent: the store has it under a name of its own. */
function isStored({ agent, sessionId, parentSessionId }: SessionFacts, stored: ReadonlySet<number>): boolean {
  return [sessionId, parentSessionId].some((id) => id !== undefined && stored.has(keyOf(agent, id)));
}

/** Long ids are nobody else's. Short ones are an agent's own, and agents go by other names in what they export. */
function keyOf(agent: string | undefined, session: string): number {
  return hashKey(session.length >= UNIQUE_ID_CHARS ? session : `${agent ?? ''}\n${session}`);
}
