/** OpenClaw writes pi's entries; these are the traces by which its transcripts can be told from pi's own. */

import { asObject, asText, contentText, type JsonObject } from '../../json/json-fields.ts';
import type { Sample } from '../format.ts';
import { hasTypedEntries } from '../typed-entries.ts';

/** Tools that OpenClaw has and pi has not (pi: read, bash, edit, write, grep, find, ls). */
const TOOLS: ReadonlySet<unknown> = new Set([
  'exec',
  'process',
  'cron',
  'gateway',
  'message',
  'web_fetch',
  'web_search',
  'memory_search',
  'memory_get',
  'sessions_list',
  'sessions_history',
  'sessions_send',
  'sessions_spawn',
  'sessions_yield',
  'session_status',
  'heartbeat_respond',
]);

const RUNTIME_TEXT =
  /\[OpenClaw |HEARTBEAT_OK|HEARTBEAT\.md|\[Subagent Context\]|^\[cron:|\(untrusted metadata\):|^System: \[\d{4}-/;

/** OpenClaw's folders, under the names it has had. Asked only about files that are of pi's kind by content. */
const FOLDER = /[/\\]\.?(?:openclaw|clawdbot|moltbot|moldbot)[^/\\]*(?=[/\\])/;

export function isOpenclaw(sample: Sample): boolean {
  return hasTypedEntries(sample) && (sample.records.some(hasTrace) || isInFolder(sample.path));
}

function isInFolder(path: string): boolean {
  const at = path.search(FOLDER);
  return at >= 0 && /[/\\]agents[/\\]/.test(path.slice(at + 1));
}

function hasTrace(record: unknown): boolean {
  const entry = asObject(record);
  if (entry === undefined) return false;
  if (entry.agent === 'openclaw' || 'sessionKey' in entry || isOurs(entry.provider)) return true;
  const customType = asText(entry.customType);
  if (customType !== undefined) return customType === 'model-snapshot' || isOurs(customType);
  const message = asObject(entry.message);
  return message !== undefined && messageHasTrace(message);
}

function messageHasTrace(message: JsonObject): boolean {
  if ('__openclaw' in message || 'provenance' in message || isOurs(message.provider)) return true;
  switch (message.role) {
    case 'user':
      return RUNTIME_TEXT.test(contentText(message.content).slice(0, 2_000));
    case 'toolResult':
      return TOOLS.has(message.toolName);
    case 'assistant':
      return (
        Array.isArray(message.content) && message.content.some((block) => TOOLS.has(asObject(block)?.name))
      );
    default:
      return false;
  }
}

function isOurs(name: unknown): boolean {
  return typeof name === 'string' && /^openclaw(?:$|[-.:])/.test(name);
}
