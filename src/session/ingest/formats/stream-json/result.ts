/** The last object of a run: how it ended, what it used, what was refused. Alone it is all there is of a session. */
import {
  asCost,
  asObject,
  asObjects,
  asText,
  defined,
  isZero,
  type JsonObject,
} from '../../json/json-fields.ts';
import { newBoundedMap, recall, remember } from '../bounded-map.ts';
import type { Spent, StreamLine, StreamState } from './state.ts';
import { messageUsage, modelUsage, since } from './usage.ts';

export function readResult(place: StreamLine): void {
  const { state, record, line, send } = place;
  if (state.messages === 0 && state.model === undefined) noteAgent(state, record);
  if (state.messages === 0)
    send({ kind: 'session', endOnly: true, ...defined({ agent: asText(state.agent) }) });
  const text = asText(record.result);
  // Alone, or after pieces of it: otherwise the last message says the same.
  if (!state.said && text !== undefined && record.is_error !== true) {
    const model = state.model ?? busiestModel(record);
    const messageId = recall(state.latest, model ?? '') ?? `result-${line}`;
    remember(state.latest, model ?? '', messageId);
    send({ kind: 'reply', messageId, text, usageElsewhere: true, ...defined({ model }) });
  }
  readDenials(place);
  // Where it states nothing, what the messages say is all there is.
  if (readSpent(place)) state.pending = newBoundedMap();
  readEnd(place);
  Object.assign(state, { latest: newBoundedMap(), said: false });
}

/** Alone it does not say which of its models spoke; others did small jobs for the one that wrote most. */
function busiestModel(record: JsonObject): string | undefined {
  const written = ([, value]: [string, unknown]): number => numberOf(asObject(value)?.outputTokens) ?? 0;
  const models = Object.entries(asObject(record.modelUsage) ?? {});
  return models.sort((a, b) => written(b) - written(a))[0]?.[0];
}

/** Alone it does not say whose it is; what it has beside the result does, or nothing. */
function noteAgent(state: StreamState, record: JsonObject): void {
  if ('total_cost_usd' in record) state.agent = 'claude-code';
  else state.agent = 'request_id' in record ? 'cursor' : '';
}

/** Refusals of calls that were not printed. */
function readDenials({ state, record, send }: StreamLine): void {
  for (const denial of asObjects(record.permission_denials)) {
    const callId = asText(denial.tool_use_id);
    if (callId === undefined || recall(state.calls, callId) !== undefined) continue;
    send({
      kind: 'call',
      callId,
      tool: asText(denial.tool_name) ?? 'unknown',
      input: denial.tool_input ?? null,
    });
    send({ kind: 'result', callId, denied: true, byRule: true });
  }
}

/** Told on the last message of each model, so that no message is made up where there is one. */
function readSpent({ state, record, line, send }: StreamLine): boolean {
  const spent = Object.entries(spentOf(state, record));
  for (const [model, total] of spent) {
    const before = recall(state.spent, model);
    const usage = since(total.usage, before?.usage);
    const costUsd = total.costUsd === undefined ? undefined : costSince(total.costUsd, before?.costUsd);
    remember(state.spent, model, total);
    if (isZero(usage)) continue;
    const messageId = recall(state.latest, model) ?? `result-${line} ${model}`;
    const name = model === '' ? state.model : model;
    send({
      kind: 'reply',
      text: '',
      messageId,
      usage,
      usageOfSeveral: true,
      ...defined({ model: name, costUsd: asCost(costUsd, usage) }),
    });
  }
  return spent.length > 0;
}

function costSince(now: number, before: number | undefined): number {
  return before === undefined || now < before ? now : now - before;
}

function spentOf(state: StreamState, record: JsonObject): Record<string, Spent> {
  const models = Object.entries(asObject(record.modelUsage) ?? {});
  const spent: Record<string, Spent> = Object.create(null);
  for (const [model, value] of models) {
    const fields = asObject(value);
    const usage = fields && modelUsage(fields);
    if (usage !== undefined) spent[model] = { usage, costUsd: numberOf(fields?.costUSD) };
  }
  if (Object.keys(spent).length > 0) return spent;
  const usage = messageUsage(state.agent, record.usage);
  return usage === undefined
    ? {}
    : { [state.model ?? '']: { usage, costUsd: numberOf(record.total_cost_usd) } };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** `success` is also what a request that failed ends in; `is_error` says that it did. */
function readEnd({ record, send }: StreamLine): void {
  const why = `${asText(record.subtype) ?? ''} ${asText(record.terminal_reason) ?? ''}`;
  if (/aborted/.test(why)) send({ kind: 'interrupt' });
  else if (/max_turns|max_budget/.test(why)) send({ kind: 'end', reason: 'limit' });
  else if (record.is_error === true || /error/.test(why)) send({ kind: 'end', reason: 'error' });
  else send({ kind: 'end', reason: 'normal' });
}
