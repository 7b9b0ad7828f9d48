/** Rollouts of the Codex CLI (`~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`), old and new. */

import { asObject, asText, asTime, type JsonObject, sampled } from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { readCompaction, readEvent } from './events.ts';
import { readAgentMessage, readMessage } from './messages.ts';
import { type CodexLine, type CodexState, codexLine, isReplayed, readHeader, startCodex } from './state.ts';
import { readFunctionCall, readFunctionOutput, readHostedCall, readSearchOutput } from './tools.ts';
import { skipTokenCount } from './usage.ts';

const ITEMS: ReadonlyMap<string, (place: CodexLine) => void> = new Map([
  ['message', readMessage],
  ['agent_message', readAgentMessage],
  ['function_call', readFunctionCall],
  ['custom_tool_call', readFunctionCall],
  ['local_shell_call', readFunctionCall],
  ['tool_search_call', readFunctionCall],
  ['tool_call', readFunctionCall],
  ['function_call_output', readFunctionOutput],
  ['custom_tool_call_output', readFunctionOutput],
  ['local_shell_call_output', readFunctionOutput],
  ['tool_search_output', readSearchOutput],
  ['tool_result', readFunctionOutput],
  ['function_result', readFunctionOutput],
  ['web_search_call', (place: CodexLine) => readHostedCall(place, 'web_search')],
  ['image_generation_call', (place: CodexLine) => readHostedCall(place, 'image_generation')],
]);

const IGNORED_ITEMS: ReadonlySet<string> = new Set([
  'reasoning',
  'ghost_snapshot',
  'compaction',
  'compaction_summary',
  'context_compaction',
  'additional_tools',
]);

const IGNORED: ReadonlySet<string> = new Set([
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'token_usage_record',
]);

function step(state: CodexState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const payload = asObject(fields.payload);
  const at = asTime(fields.timestamp ?? fields.created_at);
  if (payload === undefined) return readFlat(codexLine(state, fields, line, at, emit), at);
  const place = codexLine(state, payload, line, at, emit);
  const type = asText(fields.type);
  if (type === 'session_meta') {
    readHeader(place, at);
    return undefined;
  }
  if (type === 'turn_context') {
    state.model = asText(payload.model) ?? state.model;
    return undefined;
  }
  if (isReplayed(state, at)) {
    if (payload.type === 'token_count') skipTokenCount(state, payload.info);
    return undefined;
  }
  if (type === 'event_msg') return readEvent(place);
  if (type === 'response_item') return readItem(place);
  if (type === 'compacted') {
    readCompaction(place, 'record');
    return undefined;
  }
  return type !== undefined && IGNORED.has(type) ? undefined : (type ?? '(no type)');
}

function readItem(place: CodexLine): string | undefined {
  const type = asText(place.payload.type);
  if (type === undefined) return 'response_item';
  const reader = ITEMS.get(type);
  if (reader === undefined) return IGNORED_ITEMS.has(type) ? undefined : `response_item/${type}`;
  reader(place);
  return undefined;
}

/** The first versions wrote items without an envelope, below a header without a type. */
function readFlat(place: CodexLine, at: number | undefined): string | undefined {
  const { payload, state } = place;
  state.model = asText(payload.model) ?? state.model;
  const type = asText(payload.type);
  if (type !== undefined && type !== 'message') {
    const unknown = readItem(place);
    return unknown === undefined ? undefined : type;
  }
  if (asText(payload.role) !== undefined) readMessage(withContent(place));
  else if (isFlatHeader(payload)) readHeader(place, at);
  else if (payload.record_type === undefined) return '(no type)';
  return undefined;
}

function withContent(place: CodexLine): CodexLine {
  const { payload } = place;
  if (payload.content !== undefined || payload.message === undefined) return place;
  return { ...place, payload: { ...payload, content: payload.message } };
}

function isFlatHeader(fields: JsonObject): boolean {
  return asText(fields.id) !== undefined && fields.timestamp !== undefined && fields.type === undefined;
}

const ENVELOPES: ReadonlySet<unknown> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
]);

function detect(sample: Sample): boolean {
  const records = sampled(sample.records, false);
  return records.some(isEnvelope) || (isLegacyHeader(records[0]) && records.some(isLegacyItem));
}

function isEnvelope(record: JsonObject): boolean {
  return ENVELOPES.has(record.type) && asObject(record.payload) !== undefined;
}

function isLegacyHeader(record: JsonObject | undefined): boolean {
  return record !== undefined && isFlatHeader(record) && 'instructions' in record;
}

function isLegacyItem(record: JsonObject): boolean {
  return record.record_type === 'state' || (record.type === 'message' && asText(record.role) !== undefined);
}

/**
 * Lines have no identity of their own, but the time and what the line is about are one: an archived copy of a rollout
 * has the same lines. (Forks rewrite the times of what they take along; that is told from the header.)
 */
function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  const payload = asObject(fields?.payload);
  const timestamp = asText(fields?.timestamp);
  if (payload === undefined || timestamp === undefined || asTime(timestamp) === undefined) return undefined;
  const about =
    asText(payload.call_id) ??
    asText(payload.id) ??
    asText(payload.turn_id) ??
    asText(payload.message)?.slice(0, 80) ??
    asText(payload.text)?.slice(0, 80) ??
    shownTotal(payload);
  if (about === undefined) return undefined;
  return `${timestamp} ${asText(fields?.type)} ${asText(payload.type)} ${about}`;
}

function shownTotal(payload: JsonObject): string | undefined {
  const total = asObject(asObject(payload.info)?.total_token_usage)?.total_tokens;
  return typeof total === 'number' ? String(total) : undefined;
}

export const codexAdapter: Adapter<CodexState> = {
  detect,
  start: startCodex,
  step,
  entryKey,
};
