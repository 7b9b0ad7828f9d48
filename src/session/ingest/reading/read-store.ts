/** A SQLite store of OpenClaw → its sessions, each read like a transcript of its own. */
import type { SessionFacts } from '../../evidence.ts';
import type { AnyFormat } from '../formats/formats.ts';
import { openclaw } from '../formats/openclaw/adapter.ts';
import { isOpenclawStore, openStoreSessions, type StoreSession } from '../formats/openclaw/sqlite.ts';
import { abandonedKeys } from './branches.ts';
import { factsIn, type KeptSessions, keepSessions, NO_SESSIONS } from './kept-sessions.ts';
import type { Spill } from './spill-list.ts';
import { countLine, countSkip, emptyTally, type TallyState } from './tally.ts';
import { type LeaveOut, Transcript } from './transcript.ts';

export type StoreRead = {
  readonly known: boolean;
  readonly kept: KeptSessions;
  readonly tally: TallyState;
  readonly keys: Float64Array;
};

/** Sessions of a store that have branches: its place in the store → what was abandoned. */
type Branches = ReadonlyMap<number, ReadonlySet<number>>;

export function readStore(path: string, leaveOut: LeaveOut = {}, spill?: Spill): StoreRead {
  if (!isOpenclawStore(path)) {
    const tally = emptyTally();
    countSkip(tally, 'not a transcript', 1);
    return { known: false, kept: NO_SESSIONS, tally, keys: new Float64Array() };
  }
  const branches = new Map<number, ReadonlySet<number>>();
  const first = readSessions({ path, leaveOut, spill, left: new Map() }, branches);
  if (branches.size === 0) return first;
  return readSessions({ path, leaveOut, spill, left: branches }, new Map());
}

type ToRead = {
  readonly path: string;
  readonly leaveOut: LeaveOut;
  readonly left: Branches;
  readonly spill: Spill | undefined;
};

function readSessions(what: ToRead, found: Map<number, ReadonlySet<number>>): StoreRead {
  const tally = emptyTally();
  const keys: Float64Array[] = [];
  const kept = keepSessions(sessionsOf(what, found, tally, keys), what.spill);
  return { known: true, kept, tally, keys: joined(keys) };
}

function* sessionsOf(
  { path, leaveOut, left, spill }: ToRead,
  found: Map<number, ReadonlySet<number>>,
  tally: TallyState,
  keys: Float64Array[],
): Generator<SessionFacts> {
  let place = 0;
  const problem = (): void => countSkip(tally, 'not JSON', Math.max(1, tally.lines));
  for (const session of openStoreSessions(path, problem)) {
    const abandoned = left.get(place);
    const transcript = new Transcript({
      format: openclaw as unknown as AnyFormat,
      path,
      tally,
      leaveOut: abandoned === undefined ? leaveOut : { ...leaveOut, abandoned },
      sidecar: session.sidecar,
      name: session.sessionId,
      spill,
    });
    const last = takeAll(session, transcript, tally);
    const branches = abandonedKeys(transcript.ids.toArray(), transcript.jumps);
    if (branches.size > 0) found.set(place, branches);
    keys.push(transcript.keys.toUnique());
    yield* factsIn(transcript.finish(last));
    place += 1;
  }
}

function takeAll({ records }: StoreSession, transcript: Transcript, tally: TallyState): number {
  let last = 0;
  for (const { record, line } of records) {
    // Lines start anew with each session, so each is one more.
    countLine(tally, tally.lastLine + 1);
    transcript.tryTake(record, line);
    last = line;
  }
  return last;
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
