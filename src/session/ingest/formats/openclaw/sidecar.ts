/**
 * The files beside an OpenClaw transcript: its trajectory, `sessions.json` of its folder, and the log of its cron job.
 * All of them are optional, may be half written, and are never followed out of OpenClaw's own folder.
 */
import { basename, dirname, join } from 'node:path';
import type { Event, SessionEvent } from '../../../event.ts';
import { asObject, defined } from '../../json/json-fields.ts';
import type { Sidecar } from '../format.ts';
import { cronLogPath, findCronRun, readCronRun } from './cron.ts';
import { endOfStatus, readEntry, readKey, type SessionEntry, sessionEventOf } from './entry.ts';
import { parsedLines, parseJson, readRegular, regularSize, stampOf } from './files.ts';
import { isArchiveName, sessionIdOfName } from './names.ts';
import { readTrajectory, TRAJECTORY_TYPES, type Trajectory } from './trajectory.ts';

/** Larger files are not OpenClaw's: it caps the recorder at 10 MiB. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const MAX_LOG_BYTES = 32 * 1024 * 1024;
/** The type of a recorded event stands near the beginning of its line. */
const TYPE_WITHIN = 4_096;

export function readSidecars(transcriptPath: string): Sidecar {
  const index = readIndex(dirname(transcriptPath));
  const entry = entryFor(transcriptPath, index);
  const trajectory = readTrajectoryFile(trajectoryPath(transcriptPath));
  const cron =
    entry === undefined
      ? (forgottenRun(transcriptPath)?.events ?? [])
      : readCronRun(cronLogOf(transcriptPath, entry), entry.sessionId);
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
    ...((trajectory?.compactions ?? 0) > 0 ? defined({ compactions: trajectory?.compactions }) : {}),
  };
}

/** Files whose change changes what a transcript is worth. */
export function sidecarPaths(transcriptPath: string): string[] {
  const entry = entryFor(transcriptPath, readIndex(dirname(transcriptPath)));
  const cron = entry === undefined ? forgottenRun(transcriptPath)?.path : cronLogOf(transcriptPath, entry);
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
  for (const [key, stored] of Object.entries(asObject(value) ?? {}).slice(0, MAX_ENTRIES)) {
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

function cronLogOf(transcriptPath: string, entry: SessionEntry): string | undefined {
  return cronLogPath(transcriptPath, readKey(entry.key).cronJob);
}

function forgottenRun(transcriptPath: string): ReturnType<typeof findCronRun> {
  const id = sessionIdOfName(transcriptPath);
  return id === undefined ? undefined : findCronRun(transcriptPath, id);
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
  return defined({ agent: trajectory.agent, trigger: trajectory.trigger, usage: trajectory.usage });
}

function sessionsOf(events: readonly Event[]): SessionEvent[] {
  return events.filter((event) => event.kind === 'session');
}
