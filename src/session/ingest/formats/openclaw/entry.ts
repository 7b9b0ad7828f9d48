/** What OpenClaw stores about a session apart from its transcript: kind, parent, model, tokens, cost, status. */
import type { EndReason, SessionEvent, Trigger, Usage } from '../../../event.ts';
import { asCount, asObject, asText, defined, type JsonObject } from '../../json/json-fields.ts';
import { usageApart } from '../chat.ts';

/** The few fields of an entry that are used: entries can contain whole prompts. */
export type SessionEntry = {
  readonly key: string;
  readonly sessionId: string;
  readonly parentKey?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly costUsd?: number;
  readonly usage?: Usage;
  readonly status?: string;
  /** Earlier sessions of the same conversation. */
  readonly earlier: readonly string[];
};

export type KeyFacts = { readonly agent?: string; readonly trigger?: Trigger; readonly cronJob?: string };

/**
 * `agent:<agent>:main`, `agent:<agent>:cron:<job>:run:<id>`, `agent:<agent>:subagent:<id>`, `hook:<id>`, … A chat
 * conversation names no trigger: heartbeats and reminders arrive in it as well.
 */
export function readKey(key: string): KeyFacts {
  const agent = /^agent:([^:]{1,200}):/.exec(key)?.[1];
  const rest = agent === undefined ? key : key.slice(`agent:${agent}:`.length);
  const cronJob = /(?:^|:)cron:([^:]{1,200})/.exec(rest)?.[1];
  return defined({ agent, trigger: triggerOf(rest, cronJob), cronJob });
}

function triggerOf(rest: string, cronJob: string | undefined): Trigger | undefined {
  if (/(?:^|:)subagent:/.test(rest)) return 'subagent';
  if (cronJob !== undefined) return 'cron';
  if (/^hook:/.test(rest)) return 'hook';
  return /:heartbeat$/.test(rest) ? 'heartbeat' : undefined;
}

export function readEntry(key: string, value: unknown): SessionEntry | undefined {
  const entry = asObject(value);
  const sessionId = asText(entry?.sessionId) ?? asText(entry?.id);
  if (entry === undefined || sessionId === undefined) return undefined;
  const aborted = entry.abortedLastRun === true ? 'killed' : undefined;
  return {
    key,
    sessionId,
    earlier: Array.isArray(entry.usageFamilySessionIds)
      ? entry.usageFamilySessionIds.slice(0, 200).filter((id) => typeof id === 'string')
      : [],
    ...defined({
      parentKey: asText(entry.spawnedBy) ?? asText(entry.parentSessionKey),
      model: asText(entry.model),
      provider: asText(entry.modelProvider),
      // OpenClaw writes 0 where it does not know the price.
      costUsd: asCount(entry.estimatedCostUsd) || undefined,
      usage: usageOf(key, entry),
      status: asText(entry.status) ?? aborted,
    }),
  };
}

export function sessionEventOf(
  entry: SessionEntry,
  sessionOf: (key: string) => string | undefined,
): SessionEvent {
  const { agent, trigger } = readKey(entry.key);
  const parent = entry.parentKey === undefined ? undefined : sessionOf(entry.parentKey);
  return {
    kind: 'session',
    sessionId: entry.sessionId,
    ...defined({
      agent,
      trigger,
      // A topic of a chat has a parent too, but no task from it.
      parentSessionId: trigger === 'subagent' ? parent : undefined,
      model: entry.model,
      provider: entry.provider,
      costUsd: entry.costUsd,
      usage: entry.usage,
    }),
  };
}

const ENDS: ReadonlyMap<string, EndReason> = new Map<string, EndReason>([
  ['running', 'open'],
  ['queued', 'open'],
  ['done', 'normal'],
  ['failed', 'error'],
  ['killed', 'aborted'],
  ['timeout', 'timeout'],
  // The gateway stopped in the middle of it.
  ['interrupted', 'cut-off'],
]);

export function endOfStatus(status: string | undefined): EndReason | undefined {
  return status === undefined ? undefined : ENDS.get(status);
}

/** The counters hold the last run only; that is the whole of a session which has just one. */
function usageOf(key: string, entry: JsonObject): Usage | undefined {
  if (readKey(key).trigger === undefined) return undefined;
  const usage = usageApart(entry.inputTokens, entry.outputTokens, entry.cacheRead, entry.cacheWrite);
  return usage !== undefined && usage.input + usage.output > 0 ? usage : undefined;
}
