/** Logs of OpenClaw's cron jobs, `cron/runs/<job>.jsonl`: how each run went, and which session it was. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Event, Usage } from '../../../event.ts';
import { asCount, asObject, asText, defined, firstTime, type JsonObject } from '../../json/json-fields.ts';
import { readKey } from './entry.ts';
import { parsedLines, readRegular, regularSize, stampOf } from './files.ts';

/** Larger files are not OpenClaw's: it caps a log at 2 MB. */
const MAX_LOG_BYTES = 32 * 1024 * 1024;
/** What is looked through for a session whose job nobody knows. */
const MAX_LOGS = 500;
const MAX_ALL_LOGS_BYTES = 64 * 1024 * 1024;
const ANYWHERE = Number.POSITIVE_INFINITY;

/** …/<home>/agents/<agent>/sessions/<transcript> */
function logsFolder(transcriptPath: string): string {
  return join(dirname(transcriptPath), '..', '..', '..', 'cron', 'runs');
}

export function cronLogPath(transcriptPath: string, job: string | undefined): string | undefined {
  if (job === undefined || !/^[\w.-]{1,200}$/.test(job)) return undefined;
  return join(logsFolder(transcriptPath), `${job}.jsonl`);
}

/** The last finished run of the job that names this session. */
export function readCronRun(path: string | undefined, sessionId: string): Event[] {
  const file = path === undefined ? undefined : readRegular(path, MAX_LOG_BYTES);
  if (file === undefined) return [];
  let run: JsonObject | undefined;
  for (const record of parsedLines(file, [sessionId], ANYWHERE)) {
    const fields = asObject(record);
    if (fields?.action === 'finished' && fields.sessionId === sessionId) run = fields;
  }
  return run === undefined ? [] : cronEvents(run);
}

type Logs = {
  readonly stamp: string;
  /** Session → the log that names it, and what it says. */
  readonly runs: ReadonlyMap<string, { readonly path: string; readonly events: readonly Event[] }>;
};

/** One home has hundreds of transcripts and one folder of logs. */
const logsOfFolder = new Map<string, Logs>();
const MAX_FOLDERS = 16;

/**
 * For a session that the index has forgotten, which it does with cron sessions after a day: the logs still name it.
 * A reminder to a conversation names a session as well, but one that is not the job's own.
 */
export function findCronRun(
  transcriptPath: string,
  sessionId: string,
): { readonly path: string; readonly events: readonly Event[] } | undefined {
  const folder = logsFolder(transcriptPath);
  const paths = namesIn(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .slice(0, MAX_LOGS)
    .map((name) => join(folder, name));
  if (paths.length === 0) return undefined;
  const stamp = paths.map((path) => `${path} ${stampOf(path)}`).join('\n');
  let logs = logsOfFolder.get(folder);
  if (logs?.stamp !== stamp) {
    logs = { stamp, runs: readLogs(paths) };
    logsOfFolder.delete(folder);
    logsOfFolder.set(folder, logs);
    const oldest = logsOfFolder.keys().next().value;
    if (logsOfFolder.size > MAX_FOLDERS && oldest !== undefined) logsOfFolder.delete(oldest);
  }
  return logs.runs.get(sessionId);
}

function readLogs(paths: readonly string[]): Logs['runs'] {
  const runs = new Map<string, { path: string; events: readonly Event[] }>();
  let bytes = 0;
  for (const path of paths) {
    bytes += Math.min(regularSize(path) ?? 0, MAX_LOG_BYTES);
    if (bytes > MAX_ALL_LOGS_BYTES) break;
    const file = readRegular(path, MAX_LOG_BYTES);
    for (const record of file === undefined ? [] : parsedLines(file, ['"sessionId"'], ANYWHERE)) {
      const run = asObject(record);
      const id = asText(run?.sessionId);
      if (run?.action === 'finished' && id !== undefined && isOwn(run)) {
        runs.set(id, { path, events: cronEvents(run) });
      }
    }
  }
  return runs;
}

function isOwn(run: JsonObject): boolean {
  const key = asText(run.sessionKey);
  return key === undefined || readKey(key).cronJob !== undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function cronEvents(run: JsonObject): Event[] {
  const place = { line: 0, ...defined({ at: firstTime(run.ts) }) };
  const session = defined({
    model: asText(run.model),
    provider: asText(run.provider),
    usage: cronUsage(asObject(run.usage)),
  });
  const events: Event[] = [{ kind: 'session', trigger: 'cron', ...session, ...place }];
  if (run.deliveryStatus === 'delivered' || run.deliveryStatus === 'not-delivered') {
    events.push({ kind: 'artifact', artifact: 'message', ok: run.deliveryStatus === 'delivered', ...place });
  }
  const late = /time[d -]{0,2}out/i.test(asText(run.error)?.slice(0, 400) ?? '');
  if (run.status === 'error') events.push({ kind: 'end', reason: late ? 'timeout' : 'error', ...place });
  if (run.status === 'ok' || run.status === 'skipped')
    events.push({ kind: 'end', reason: 'normal', ...place });
  return events;
}

function cronUsage(usage: JsonObject | undefined): Usage | undefined {
  const input = asCount(usage?.input_tokens);
  const output = asCount(usage?.output_tokens);
  if (input === undefined || output === undefined || input + output === 0) return undefined;
  return {
    input,
    output,
    cacheRead: asCount(usage?.cache_read_tokens) ?? 0,
    cacheWrite: asCount(usage?.cache_write_tokens) ?? 0,
  };
}
