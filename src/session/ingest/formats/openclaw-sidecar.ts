/**
 * The files beside an OpenClaw transcript: its trajectory, `sessions.json` of its folder, and the log of its cron job.
 * All of them are optional, may be half written, and are never followed out of OpenClaw's own folder.
 */
import { basename, dirname, join } from 'node:path';
import type { Event, SessionEvent, Usage } from '../../event.ts';
import type { Emit } from '../format.ts';
import { endOfStatus, readEntry, readKey, type SessionEntry, sessionEventOf } from './openclaw-entry.ts';
import { parsedLines, parseJson, readRegular, regularSize, stampOf } from './openclaw-files.ts';
import { isArchiveName, sessionIdOfName } from './openclaw-names.ts';
import { readTrajectory, TRAJECTORY_TYPES, type Trajectory } from './openclaw-trajectory.ts';
import { amountOf, type Fields, fieldsOf, known, stringOf, timeOf } from './pi-fields.ts';

export type Sidecar = {
  /** To be emitted before the transcript's own events. */
  readonly before: readonly Event[];
  /** Of runs before the last one, with times: they belong before the next run begins. */
  readonly between: readonly Event[];
  /** To be emitted after the transcript's own events. */
  readonly after: readonly Event[];
};

/** Larger files are not OpenClaw's: it caps the recorder at 10 MiB and a cron log at 2 MB. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const MAX_LOG_BYTES = 32 * 1024 * 1024;
/** The type of a recorded event stands near the beginning of its line. */
const TYPE_WITHIN = 4_096;
const ANYWHERE = Number.POSITIVE_INFINITY;

export function readSidecars(transcriptPath: string): Sidecar {
  const index = readIndex(dirname(transcriptPath));
  const entry = entryFor(transcriptPath, index);
  const trajectory = readTrajectoryFile(trajectoryPath(transcriptPath));
  const cron = entry === undefined ? [] : readCronRun(transcriptPath, entry);
  const stored = entry === undefined ? [] : [sessionEventOf(entry, (key) => index.sessionOfKey.get(key))];
  // What an archived transcript's conversation does today says nothing about it.
  const status = isArchiveName(transcriptPath) ? undefined : entry?.status;
  return sidecarOf([...stored, ...sessionsOf(cron)], trajectory, {
    status,
    ends: cron.filter((event) => event.kind !== 'session'),
  });
}

/** The same for stores, which keep in tables what used to be files. */
export function sidecarOf(
  sessions: readonly SessionEvent[],
  trajectory: Trajectory | undefined,
  facts: { readonly status?: string | undefined; readonly ends?: readonly Event[] },
): Sidecar {
  const recorded = trajectory === undefined ? {} : trajectoryFacts(trajectory);
  const before = [
    ...sessions,
    ...(Object.keys(recorded).length === 0 ? [] : [{ kind: 'session' as const, ...recorded }]),
  ];
  const runs = trajectory?.runs ?? [];
  const last = runs.at(-1) ?? [];
  const recordedEnd = last.some((event) => event.kind === 'end');
  const reason = endOfStatus(facts.status);
  const told = (facts.ends ?? []).filter((event) => event.kind !== 'end' || !recordedEnd);
  const toldEnd = recordedEnd || told.some((event) => event.kind === 'end');
  return {
    before: before.map((event) => ({ ...event, line: 1 })),
    between: runs.slice(0, -1).flat(),
    after: [
      ...last,
      ...told,
      ...(reason === undefined || toldEnd ? [] : [{ kind: 'end' as const, reason, line: 0 }]),
    ],
  };
}

/**
 * Puts the events of a sidecar where they belong: before the transcript, at the border between two runs, at the end.
 * `seen`: the time of the last event that was emitted when this transcript was read before.
 */
export function withSidecar(
  sidecar: Sidecar,
  emit: Emit,
  seen?: number,
): { readonly emit: Emit; readonly finish: () => void } {
  const waiting = sidecar.between.filter((event) => seen === undefined || (event.at ?? 0) > seen);
  let line = 1;
  let session: string | undefined;
  let next = 0;
  for (const event of sidecar.before) emit(event);
  return {
    emit: (event, id) => {
      const border = event.kind === 'user' && event.origin !== 'runtime' && event.at !== undefined;
      for (; border; next += 1) {
        const early = waiting[next];
        if (early === undefined || (early.at ?? 0) > (event.at ?? 0)) break;
        emit({ ...early, line }, id);
      }
      line = event.line;
      session = id;
      emit(event, id);
    },
    finish: () => {
      for (const event of sidecar.after) emit({ ...event, line }, session);
    },
  };
}

/** Files whose change changes what a transcript is worth. */
export function sidecarPaths(transcriptPath: string): string[] {
  const entry = entryFor(transcriptPath, readIndex(dirname(transcriptPath)));
  const cron = entry === undefined ? undefined : cronLogPath(transcriptPath, entry);
  return [
    trajectoryPath(transcriptPath),
    join(dirname(transcriptPath), 'sessions.json'),
    ...(cron === undefined ? [] : [cron]),
  ].filter((path) => regularSize(path) !== undefined);
}

type Index = {
  readonly stamp: string;
  readonly entries: ReadonlyMap<string, SessionEntry>;
  readonly sessionOfKey: ReadonlyMap<string, string>;
};

/** One folder holds hundreds of transcripts and one index. */
const indexes = new Map<string, Index>();
const MAX_INDEXES = 16;
const MAX_ENTRIES = 100_000;

function readIndex(folder: string): Index {
  const path = join(folder, 'sessions.json');
  const stamp = stampOf(path);
  const cached = indexes.get(folder);
  if (cached?.stamp === stamp) return cached;
  const index = makeIndex(stamp, stamp === '' ? undefined : parseJson(readRegular(path, MAX_INDEX_BYTES)));
  indexes.delete(folder);
  indexes.set(folder, index);
  const oldest = indexes.keys().next().value;
  if (indexes.size > MAX_INDEXES && oldest !== undefined) indexes.delete(oldest);
  return index;
}

function makeIndex(stamp: string, value: unknown): Index {
  const entries = new Map<string, SessionEntry>();
  const sessionOfKey = new Map<string, string>();
  for (const [key, stored] of Object.entries(fieldsOf(value) ?? {}).slice(0, MAX_ENTRIES)) {
    const entry = readEntry(key, stored);
    if (entry === undefined) continue;
    sessionOfKey.set(key, entry.sessionId);
    // A cron job and its latest run share a session; the run's key is the longer one and says more.
    if ((entries.get(entry.sessionId)?.key.length ?? -1) < key.length) entries.set(entry.sessionId, entry);
  }
  return { stamp, entries, sessionOfKey };
}

function entryFor(transcriptPath: string, index: Index): SessionEntry | undefined {
  const id = sessionIdOfName(transcriptPath);
  if (id === undefined) return undefined;
  const plain = id.replace(/-topic-.*$/, '');
  const entry = index.entries.get(id) ?? index.entries.get(plain);
  if (entry !== undefined) return entry;
  for (const { key, earlier } of index.entries.values()) {
    if (earlier.includes(id)) return { key, sessionId: id, earlier: [] };
  }
  return undefined;
}

function trajectoryPath(transcriptPath: string): string {
  return join(
    dirname(transcriptPath),
    `${sessionIdOfName(transcriptPath) ?? basename(transcriptPath)}.trajectory.jsonl`,
  );
}

function readTrajectoryFile(path: string): Trajectory | undefined {
  const file = readRegular(path, MAX_LOG_BYTES);
  return file === undefined ? undefined : readTrajectory(parsedLines(file, TRAJECTORY_TYPES, TYPE_WITHIN));
}

function trajectoryFacts(trajectory: Trajectory): Omit<SessionEvent, 'kind'> {
  return known({ agent: trajectory.agent, trigger: trajectory.trigger, usage: trajectory.usage });
}

function cronLogPath(transcriptPath: string, entry: SessionEntry): string | undefined {
  const job = readKey(entry.key).cronJob;
  if (job === undefined || !/^[\w.-]{1,200}$/.test(job)) return undefined;
  // …/<home>/agents/<agent>/sessions/<transcript>
  const home = join(dirname(transcriptPath), '..', '..', '..');
  return join(home, 'cron', 'runs', `${job}.jsonl`);
}

/** The last finished run of the job that names this session. */
function readCronRun(transcriptPath: string, entry: SessionEntry): Event[] {
  const path = cronLogPath(transcriptPath, entry);
  const file = path === undefined ? undefined : readRegular(path, MAX_LOG_BYTES);
  if (file === undefined) return [];
  let run: Fields | undefined;
  for (const record of parsedLines(file, [entry.sessionId], ANYWHERE)) {
    const fields = fieldsOf(record);
    if (fields?.action === 'finished' && fields.sessionId === entry.sessionId) run = fields;
  }
  return run === undefined ? [] : cronEvents(run);
}

export function cronEvents(run: Fields): Event[] {
  const place = { line: 0, ...known({ at: timeOf(run.ts) }) };
  const session = known({
    model: stringOf(run.model),
    provider: stringOf(run.provider),
    usage: cronUsage(fieldsOf(run.usage)),
  });
  const events: Event[] = [{ kind: 'session', trigger: 'cron', ...session, ...place }];
  if (run.deliveryStatus === 'delivered' || run.deliveryStatus === 'not-delivered') {
    events.push({ kind: 'artifact', artifact: 'message', ok: run.deliveryStatus === 'delivered', ...place });
  }
  const late = /time[d -]{0,2}out/i.test(stringOf(run.error)?.slice(0, 400) ?? '');
  if (run.status === 'error') events.push({ kind: 'end', reason: late ? 'timeout' : 'error', ...place });
  if (run.status === 'ok' || run.status === 'skipped')
    events.push({ kind: 'end', reason: 'normal', ...place });
  return events;
}

function cronUsage(usage: Fields | undefined): Usage | undefined {
  const input = amountOf(usage?.input_tokens);
  const output = amountOf(usage?.output_tokens);
  if (input === undefined || output === undefined || input + output === 0) return undefined;
  return {
    input,
    output,
    cacheRead: amountOf(usage?.cache_read_tokens) ?? 0,
    cacheWrite: amountOf(usage?.cache_write_tokens) ?? 0,
  };
}

function sessionsOf(events: readonly Event[]): SessionEvent[] {
  return events.filter((event) => event.kind === 'session');
}
