/** Transcripts of Claude Code (`~/.claude/projects/<folder>/<session>.jsonl`), with the files of its sub-agents. */

import { hashKey } from '../../duplicates/entry-keys.ts';
import { asId, asObject, asText, asTime, type JsonObject, sampled } from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { readAssistant } from './assistant.ts';
import { deferPrompt, finishPendingPrompt, readPendingPrompt } from './pending-prompt.ts';
import { type ClaudeCodeState, type Line, MIN_RECENT_HASHES, placeLine, startClaudeCode } from './state.ts';
import { skipsAtOnce, trimClaudeCodeLine } from './trim.ts';
import { readNotice, readQueued, readUser } from './user.ts';

/** Known, and nothing in them is measured. */
const IGNORED: ReadonlySet<string> = new Set(
  `progress file-history-snapshot summary mode permission-mode agent-name agent-setting
   custom-title ai-title last-prompt frame-link started result relocated worktree-state
   bridge-session atis-latch tag`.split(/\s+/),
);

const IGNORED_SYSTEM: ReadonlySet<string> = new Set(
  `api_error api_refusal error informational local_command microcompact_boundary
   model_refusal_fallback session_start stop_hook_summary`.split(/\s+/),
);

function step(state: ClaudeCodeState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const type = asText(fields.type);
  if (type === undefined) return '(no type)';
  if (IGNORED.has(type)) return undefined;
  const repeated = isRepeated(state, fields);
  if (repeated && type !== 'assistant') return undefined;
  readPendingPrompt(state, fields, emit);
  if (deferPrompt(state, fields, line)) return undefined;
  const place = (): Line => placeLine(state, fields, line, asTime(fields.timestamp), emit, repeated);
  switch (type) {
    case 'assistant':
      readAssistant(place());
      return undefined;
    case 'user':
      readUser(place());
      return undefined;
    case 'system':
      return readSystem(place());
    case 'attachment':
      return readAttachment(place());
    case 'queue-operation':
      if (typeof fields.content === 'string') readNotice(place(), fields.content);
      return undefined;
    case 'pr-link':
      readPullRequest(place());
      return undefined;
    default:
      return type;
  }
}

/** Some versions wrote the whole conversation again with every message. A line of another message is another line. */
function isRepeated(state: ClaudeCodeState, fields: JsonObject): boolean {
  const uuid = asText(fields.uuid);
  if (uuid === undefined) return false;
  const message = messageOf(fields);
  const key = message === undefined ? uuid : `${uuid} ${message.id} ${asText(fields.requestId) ?? ''}`;
  const hash = hashKey(key);
  if (state.lines.has(hash)) return true;
  remember(state.lines, hash, true, MIN_RECENT_HASHES);
  return false;
}

function readSystem(place: Line): string | undefined {
  const subtype = asText(place.record.subtype);
  if (subtype === undefined || IGNORED_SYSTEM.has(subtype)) return undefined;
  if (subtype === 'compact_boundary') announceCompaction(place);
  // Written when the agent came to the end of a turn by itself, never after an interruption.
  else if (subtype === 'turn_duration') place.send({ kind: 'end', reason: 'normal' });
  else return `system/${subtype}`;
  return undefined;
}

/** The summary that follows (`isCompactSummary`) belongs to the same compaction. */
function announceCompaction(place: Line): void {
  place.state.compacting = place.session;
  place.send({ kind: 'compaction' });
}

function readAttachment(place: Line): string | undefined {
  const attachment = asObject(place.record.attachment);
  if (attachment?.type === 'queued_command') readQueued(place, attachment);
  return undefined;
}

/** The same link is written again whenever the session is resumed. */
function readPullRequest(place: Line): void {
  const url = asText(place.record.prUrl) ?? asId(place.record.prNumber) ?? '';
  if (place.state.pullRequests.get(url) !== undefined) return;
  remember(place.state.pullRequests, url, 1);
  place.send({ kind: 'artifact', artifact: 'pull-request', ok: true });
}

// A resumed session begins with a copy of another one's lines, sub-agents repeat messages of their parent, backups
// repeat everything: copies are found by the keys of their entries.

/** Makes keys longer than those that are unique within their session only. */
const PREFIX = 'claude-code message ';

/** The message of a line whose tokens may count, if it has an id. */
function messageOf(record: JsonObject): JsonObject | undefined {
  const message = asObject(record.message);
  if (record.type !== 'assistant' || message === undefined || message.model === '<synthetic>')
    return undefined;
  return asText(message.id) === undefined || asObject(message.usage) === undefined ? undefined : message;
}

/** The id of a message, which copies share; of any other line its `uuid`, which most copies share. */
function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return undefined;
  const message = messageOf(fields);
  return message === undefined ? asText(fields.uuid) : `${PREFIX}${message.id}`;
}

/** A message of the user or the model: never skipped, and copies share its key. */
function originKey(record: unknown): string | undefined {
  const type = asObject(record)?.type;
  return type === 'user' || type === 'assistant' ? entryKey(record) : undefined;
}

function detect(sample: Sample): boolean {
  const records = sampled(sample.records, false);
  return !records.some(isOtherAgent) && records.some((record) => isTurn(record) || isOwnKind(record));
}

/** Agents that use the outer shape write messages of another API in it. */
function isOtherAgent(fields: JsonObject): boolean {
  return asObject(fields.message)?.parts !== undefined;
}

function isTurn(fields: JsonObject): boolean {
  if (fields.type !== 'user' && fields.type !== 'assistant') return false;
  return asText(fields.sessionId) !== undefined && asObject(fields.message)?.content !== undefined;
}

/** A session that was opened and left, or the beginning of one that starts with many snapshots. */
function isOwnKind(fields: JsonObject): boolean {
  switch (fields.type) {
    case 'file-history-snapshot':
      return asObject(fields.snapshot) !== undefined;
    case 'summary':
      return asText(fields.leafUuid) !== undefined;
    case 'queue-operation':
      return asText(fields.sessionId) !== undefined && asText(fields.operation) !== undefined;
    case 'progress':
      return asText(fields.sessionId) !== undefined && asObject(fields.data) !== undefined;
    default:
      return false;
  }
}

/*
 * No `parentKey`: tool results hang on the line of their call, so that every parallel call looks like a branch, and a
 * branch that was left has cost its tokens (ccusage counts it, too).
 */
export const claudeCodeAdapter: Adapter<ClaudeCodeState> = {
  detect,
  start: startClaudeCode,
  step,
  finish: (state, _line, emit) => finishPendingPrompt(state, emit),
  entryKey,
  originKey,
  // Nine in ten transcripts are of this format, and most of their bytes need not be parsed.
  skipBytes: skipsAtOnce,
  trimBytes: trimClaudeCodeLine,
};
