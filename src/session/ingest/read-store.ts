/** A SQLite store of OpenClaw → its sessions, each read like a transcript of its own. */
import type { SessionFacts } from '../evidence.ts';
import { abandonedKeys } from './branches.ts';
import type { AnyFormat } from './detect.ts';
import { openclaw } from './formats/openclaw.ts';
import { isOpenclawStore, openStoreSessions, type StoreSession } from './formats/openclaw-sqlite.ts';
import { namedSession } from './name-session.ts';
import { countLine, countSkip, emptyTally, type TallyState } from './tally.ts';
import { type LeaveOut, Transcript } from './transcript.ts';

export type StoreRead = {
  readonly known: boolean;
  readonly sessions: readonly SessionFacts[];
  readonly tally: TallyState;
  readonly keys: Float64Array;
};

/** Sessions of a store that have branches: its place in the store → what was abandoned. */
type Branches = ReadonlyMap<number, ReadonlySet<number>>;

export function readStore(path: string, leaveOut: LeaveOut = {}): StoreRead {
  if (!isOpenclawStore(path)) {
    const tally = emptyTally();
    countSkip(tally, 'not a transcript', 1);
    return { known: false, sessions: [], tally, keys: new Float64Array() };
  }
  const branches = new Map<number, ReadonlySet<number>>();
  const first = readSessions(path, leaveOut, new Map(), branches);
  return branches.size === 0 ? first : readSessions(path, leaveOut, branches, new Map());
}

function readSessions(
  path: string,
  leaveOut: LeaveOut,
  left: Branches,
  found: Map<number, ReadonlySet<number>>,
): StoreRead {
  const tally = emptyTally();
  const sessions: SessionFacts[] = [];
  const keys: Float64Array[] = [];
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
    });
    const last = takeAll(session, transcript, tally);
    const branches = abandonedKeys(transcript.ids.toArray(), transcript.jumps);
    if (branches.size > 0) found.set(place, branches);
    keys.push(transcript.keys.toUnique());
    sessions.push(...transcript.finish(last).map((facts) => namedSession(facts, session.sessionId)));
    place += 1;
  }
  return { known: true, sessions, tally, keys: joined(keys) };
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
