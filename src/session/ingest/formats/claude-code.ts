/** Transcripts of Claude Code (`~/.claude/projects/<folder>/<session>.jsonl`), with the files of its sub-agents. */
import type { Emit, Format, Sample } from '../format.ts';
import { readAssistant } from './claude-code-assistant.ts';
import { skipsClaudeCodeLine } from './claude-code-skip.ts';
import { type ClaudeCodeState, type Line, placeLine, startClaudeCode } from './claude-code-state.ts';
import { readNotice, readQueued, readUser } from './claude-code-user.ts';
import { asId, asObject, asText, asTime, type JsonObject, sampled } from './json-fields.ts';
import { recall, remember } from './recent.ts';

/** Known, and nothing in them is measured. */
const IGNORED: ReadonlySet<string> = new Set([
  'progress',
  'file-history-snapshot',
  'summary',
  'mode',
  'permission-mode',
  'agent-name',
  'agent-setting',
  'custom-title',
  'ai-title',
  'last-prompt',
  'frame-link',
  'started',
  'result',
  'relocated',
  'worktree-state',
  'bridge-session',
  'atis-latch',
  'tag',
]);

const IGNORED_SYSTEM: ReadonlySet<string> = new Set([
  'api_error',
  'api_refusal',
  'error',
  'informational',
  'local_command',
  'microcompact_boundary',
  'model_refusal_fallback',
  'session_start',
  'stop_hook_summary',
]);

function step(state: ClaudeCodeState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const type = asText(fields.type);
  if (type === undefined) return '(no type)';
  if (IGNORED.has(type) || isRepeated(state, fields)) return undefined;
  const place = (): Line => placeLine(state, fields, line, asTime(fields.timestamp), emit);
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

/** Some versions wrote the whole conversation again with every message. */
function isRepeated(state: ClaudeCodeState, fields: JsonObject): boolean {
  const uuid = asText(fields.uuid);
  if (uuid === undefined) return false;
  if (recall(state.lines, uuid) !== undefined) return true;
  remember(state.lines, uuid, 1);
  return false;
}

function readSystem(place: Line): string | undefined {
  const subtype = asText(place.record.subtype);
  if (subtype === undefined || IGNORED_SYSTEM.has(subtype)) return undefined;
  // The summary that follows (`isCompactSummary`) belongs to the same compaction.
  if (subtype === 'compact_boundary') place.send({ kind: 'compaction' });
  // Written when the agent came to the end of a turn by itself, never after an interruption.
  else if (subtype === 'turn_duration') place.send({ kind: 'end', reason: 'normal' });
  else return `system/${subtype}`;
  return undefined;
}

function readAttachment(place: Line): string | undefined {
  const attachment = asObject(place.record.attachment);
  if (attachment?.type === 'queued_command') readQueued(place, attachment);
  return undefined;
}

/** The same link is written again whenever the session goes on. */
function readPullRequest(place: Line): void {
  const url = asText(place.record.prUrl) ?? asId(place.record.prNumber) ?? '';
  if (recall(place.state.pullRequests, url) !== undefined) return;
  remember(place.state.pullRequests, url, 1);
  place.send({ kind: 'artifact', artifact: 'pull-request', ok: true });
}

function detect(sample: Sample): boolean {
  const records = sampled(sample.records, false);
  return !records.some(isOtherAgent) && records.some((record) => isTurn(record) || isOwnKind(record));
}

/** Agents that took over the outer shape write messages of another API in it. */
function isOtherAgent(fields: JsonObject): boolean {
  return asObject(fields.message)?.parts !== undefined;
}

function isTurn(fields: JsonObject): boolean {
  if (fields.type !== 'user' && fields.type !== 'assistant') return false;
  const named = asText(fields.sessionId) !== undefined && asText(fields.uuid) !== undefined;
  return named && asObject(fields.message)?.content !== undefined;
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

/** Resuming copies lines into a new file under the new session's id; their `uuid` stays. */
function entryKey(record: unknown): string | undefined {
  return asText(asObject(record)?.uuid);
}

/*
 * No `parentKey`: tool results hang on the line of their call, so that every parallel call looks like a branch, and a
 * branch that was left has cost its tokens (ccusage counts it, too).
 */
export const claudeCode: Format<ClaudeCodeState> = {
  name: 'claude-code',
  title: 'Claude Code',
  detect,
  start: startClaudeCode,
  step,
  entryKey,
  skipBytes: skipsClaudeCodeLine,
};
