/**
 * The companion files of an OpenClaw transcript: its trajectory, `sessions.json` of its folder, and the logs of cron
 * jobs. All are optional, may be half written, and links out of OpenClaw's own folder are not followed.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Event, SessionEvent, Usage } from '../../../event.ts';
import { readJson } from '../../files/read-json.ts';
import {
  asCount,
  asObject,
  asText,
  defined,
  firstTime,
  type JsonObject,
  parsed,
} from '../../json/json-fields.ts';
import { usageApart } from '../chat.ts';
import type { Sidecar } from '../format.ts';
import { endOfStatus, readEntry, readKey, type SessionEntry, sessionEventOf } from './entry.ts';
import { isArchiveName, sessionIdOfName } from './names.ts';
import { readTrajectory, TRAJECTORY_TYPES, type Trajectory } from './trajectory.ts';

/** Larger files are not OpenClaw's: it caps the recorder at 10 MiB, the log of a job at 2 MB. */
const MAX_LOG_BYTES = 32 * 1024 * 1024;
const MAX_LOGS = 500;
const MAX_ENTRIES = 100_000;
/** The type of a recorded event is near the beginning of its line. */
const TYPE_WITHIN = 4_096;

export function readSidecars(transcriptPath: string): Sidecar {
  const index = readIndex(dirname(transcriptPath));
  const entry = entryFor(transcriptPath, index);
  const types = TRAJECTORY_TYPES.map((type) => `"${type}"`);
  const records = recordsIn(trajectoryPath(transcriptPath), (line) => {
    const head = line.slice(0, TYPE_WITHIN);
    return types.some((type) => head.includes(type));
  });
  const cron = cronRunOf(transcriptPath)?.events ?? [];
  const stored = entry === undefined ? [] : [sessionEventOf(entry, (key) => index.sessionOfKey.get(key))];
  // The current status of the conversation does not apply to an archived transcript.
  const status = isArchiveName(transcriptPath) ? undefined : entry?.status;
  return sidecarOf(
    [...stored, ...cron.filter((event) => event.kind === 'session')],
    records && readTrajectory(records),
    { status, ends: cron.filter((event) => event.kind !== 'session') },
  );
}

/** The same for stores, which have in tables what used to be files. */
export function sidecarOf(
  sessions: readonly SessionEvent[],
  trajectory: Trajectory | undefined,
  { status, ends = [] }: { readonly status?: string | undefined; readonly ends?: readonly Event[] },
): Sidecar {
  const { agent, trigger, usage, runs = [], compactions = 0 } = trajectory ?? {};
  const recorded = defined({ agent, trigger, usage });
  const before: SessionEvent[] = [...sessions];
  if (Object.keys(recorded).length > 0) before.push({ kind: 'session', ...recorded });
  const isEnd = ({ kind }: Event): boolean => kind === 'end';
  const after = [...(runs.at(-1) ?? [])];
  const isRecorded = after.some(isEnd);
  after.push(...ends.filter((event) => !isRecorded || !isEnd(event)));
  const reason = endOfStatus(status);
  if (reason !== undefined && !after.some(isEnd)) after.push({ kind: 'end', reason, line: 0 });
  return {
    before: before.map((event) => ({ ...event, line: 1 })),
    between: runs.slice(0, -1).flat(),
    after,
    ...(compactions > 0 && { compactions }),
  };
}

/** The companion files that affect a transcript's score. */
export function sidecarPaths(transcriptPath: string): string[] {
  const index = join(dirname(transcriptPath), 'sessions.json');
  return [trajectoryPath(transcriptPath), index, cronRunOf(transcriptPath)?.path ?? ''].filter(
    (path) => stampOf(path) !== '',
  );
}

function trajectoryPath(transcriptPath: string): string {
  const name = sessionIdOfName(transcriptPath) ?? basename(transcriptPath);
  return join(dirname(transcriptPath), `${name}.trajectory.jsonl`);
}

/** Changes whenever the file does; empty when there is none. A link leads out of the folder. */
function stampOf(path: string): string {
  const stats = path === '' ? undefined : lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() ? `${stats.ino}/${stats.size}/${stats.mtimeNs}` : '';
}

/** The wanted lines of a file that are JSON, parsed. */
function recordsIn(path: string, isWanted: (line: string) => boolean): unknown[] | undefined {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > MAX_LOG_BYTES) return undefined;
    return readFileSync(path, 'utf8').split('\n').filter(isWanted).map(parsed);
  } catch {
    return undefined;
  }
}

type Index = {
  readonly stamp: string;
  readonly entries: ReadonlyMap<string, SessionEntry>;
  readonly sessionOfKey: ReadonlyMap<string, string>;
};

/** One folder holds hundreds of transcripts and one index. */
const indexes = new Map<string, Index>();

function readIndex(folder: string): Index {
  const path = join(folder, 'sessions.json');
  const stamp = stampOf(path);
  const cached = indexes.get(folder);
  if (cached?.stamp === stamp) return cached;
  const entries = new Map<string, SessionEntry>();
  const sessionOfKey = new Map<string, string>();
  for (const [key, stored] of Object.entries(asObject(readJson(path)) ?? {}).slice(0, MAX_ENTRIES)) {
    const entry = readEntry(key, stored);
    if (entry === undefined) continue;
    sessionOfKey.set(key, entry.sessionId);
    // A cron job and its latest run share a session; the run's key is longer and more specific.
    if ((entries.get(entry.sessionId)?.key.length ?? -1) < key.length) entries.set(entry.sessionId, entry);
  }
  const index = { stamp, entries, sessionOfKey };
  indexes.set(folder, index);
  return index;
}

function entryFor(transcriptPath: string, index: Index): SessionEntry | undefined {
  const id = sessionIdOfName(transcriptPath);
  if (id === undefined) return undefined;
  const entry = index.entries.get(id) ?? index.entries.get(id.replace(/-topic-.*$/, ''));
  if (entry !== undefined) return entry;
  for (const { key, earlier } of index.entries.values())
    if (earlier.includes(id)) return { key, sessionId: id, earlier: [] };
  return undefined;
}

type CronRun = { readonly path: string; readonly events: readonly Event[] };
type CronLogs = { readonly stamp: string; readonly runs: ReadonlyMap<string, CronRun> };

/** One home has hundreds of transcripts and one folder of logs. */
const cronLogs = new Map<string, CronLogs>();

/** The last finished run of a cron job that names this session, from `cron/runs/<job>.jsonl`. The index forgets it after a day. */
function cronRunOf(transcriptPath: string): CronRun | undefined {
  const id = sessionIdOfName(transcriptPath);
  // …/<home>/agents/<agent>/sessions/<transcript>
  const folder = join(dirname(transcriptPath), '..', '..', '..', 'cron', 'runs');
  const paths = namesIn(folder).map((name) => join(folder, name));
  if (id === undefined || paths.length === 0) return undefined;
  const stamp = paths.map((path) => `${path} ${stampOf(path)}`).join('\n');
  const cached = cronLogs.get(folder);
  if (cached?.stamp === stamp) return cached.runs.get(id);
  const runs = new Map<string, CronRun>();
  for (const path of paths)
    for (const record of recordsIn(path, (line) => line.includes('"sessionId"')) ?? []) {
      const run = asObject(record);
      const session = asText(run?.sessionId);
      if (run?.action === 'finished' && session !== undefined && isOwn(run))
        runs.set(session, { path, events: cronEvents(run) });
    }
  cronLogs.set(folder, { stamp, runs });
  return runs.get(id);
}

/** A reminder to a conversation names a session as well, but one that is not the job's own. */
function isOwn(run: JsonObject): boolean {
  const key = asText(run.sessionKey);
  return key === undefined || readKey(key).trigger === 'cron';
}

function namesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    return names.sort().slice(0, MAX_LOGS);
  } catch {
    return [];
  }
}

function cronEvents(run: JsonObject): Event[] {
  const place = { line: 0, ...defined({ at: firstTime(run.ts) }) };
  const [model, provider, usage] = [asText(run.model), asText(run.provider), cronUsage(asObject(run.usage))];
  const events: Event[] = [
    { kind: 'session', trigger: 'cron', ...defined({ model, provider, usage }), ...place },
  ];
  if (run.deliveryStatus === 'delivered' || run.deliveryStatus === 'not-delivered')
    events.push({ kind: 'artifact', artifact: 'message', ok: run.deliveryStatus === 'delivered', ...place });
  const late = /time[d -]{0,2}out/i.test(asText(run.error)?.slice(0, 400) ?? '');
  if (run.status === 'error') events.push({ kind: 'end', reason: late ? 'timeout' : 'error', ...place });
  if (run.status === 'ok' || run.status === 'skipped')
    events.push({ kind: 'end', reason: 'normal', ...place });
  return events;
}

function cronUsage(usage: JsonObject | undefined): Usage | undefined {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage ?? {};
  const counted = usageApart(input_tokens, output_tokens, cache_read_tokens, cache_write_tokens);
  const isWhole = asCount(input_tokens) !== undefined && asCount(output_tokens) !== undefined;
  return counted !== undefined && isWhole && counted.input + counted.output > 0 ? counted : undefined;
}
