/** A session database → its sessions, each read like a transcript. */
import type { SessionFacts } from '../../evidence.ts';
import { joinKeys } from '../duplicates/entry-keys.ts';
import { close, openDatabase } from '../files/open-database.ts';
import type { LoadedFormat, SessionStore, StoreSession } from '../formats/format.ts';
import { abandonedKeys } from './branches.ts';
import { countLine, countSkip, emptyTally, type TallyState } from './tally.ts';
import { type LeaveOut, type Listen, Transcript } from './transcript.ts';

export type DatabaseRead = {
  readonly sessions: readonly SessionFacts[];
  readonly tally: TallyState;
  readonly keys: Float64Array;
};

/** Sessions of a store with branches: position in the store → abandoned entries. */
type Branches = ReadonlyMap<number, ReadonlySet<number>>;

type DatabaseOptions = {
  readonly formats: readonly LoadedFormat[];
  readonly leaveOut: LeaveOut;
  readonly listen: Listen | undefined;
  /** An archive rather than a database. */
  readonly isArchive: boolean;
};

export function readDatabase(
  path: string,
  { formats, leaveOut, listen, isArchive }: DatabaseOptions,
): DatabaseRead {
  const format = formats.find(({ store }) => store?.isStore(path));
  const store = format?.store;
  if (format === undefined || store === undefined) {
    const tally = emptyTally();
    countSkip(tally, isArchive || canBeOpened(path) ? 'not a transcript' : 'damaged database', 1);
    return { sessions: [], tally, keys: new Float64Array() };
  }
  const branches = new Map<number, ReadonlySet<number>>();
  const what = { path, format, store, leaveOut, listen };
  const first = readSessions({ ...what, left: new Map() }, branches);
  if (branches.size === 0) return first;
  return readSessions({ ...what, left: branches }, new Map());
}

type ToRead = Omit<DatabaseOptions, 'formats' | 'isArchive'> & {
  readonly path: string;
  readonly format: LoadedFormat;
  readonly store: SessionStore;
  readonly left: Branches;
};

function readSessions(what: ToRead, found: Map<number, ReadonlySet<number>>): DatabaseRead {
  const tally = emptyTally();
  const keys: Float64Array[] = [];
  const sessions = [...sessionsOf(what, found, tally, keys)];
  return { sessions, tally, keys: joinKeys(keys) };
}

function* sessionsOf(
  { path, format, store, leaveOut, left, listen }: ToRead,
  found: Map<number, ReadonlySet<number>>,
  tally: TallyState,
  keys: Float64Array[],
): Generator<SessionFacts> {
  let place = 0;
  const problem = (what: 'row' | 'store'): void =>
    countSkip(tally, what === 'row' ? 'not JSON' : 'damaged database', Math.max(1, tally.lines));
  for (const session of store.sessions(path, problem)) {
    const abandoned = left.get(place);
    const transcript = new Transcript({
      format,
      path,
      tally,
      leaveOut: abandoned === undefined ? leaveOut : { ...leaveOut, abandoned },
      sidecar: session.sidecar,
      name: session.sessionId,
      listen,
    });
    const last = takeAll(session, transcript, tally);
    const branches = abandonedKeys(transcript.ids.toArray(), transcript.jumps);
    if (branches.size > 0) found.set(place, branches);
    keys.push(transcript.keys.toUnique());
    yield* transcript.finish(last);
    place += 1;
  }
}

function canBeOpened(path: string): boolean {
  const database = openDatabase(path);
  close(database);
  return database !== undefined;
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
