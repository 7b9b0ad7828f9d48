/**
 * Messages of an OpenCode session with their parts. A model message may have many steps, each a request of its own: its
 * tokens are those of its last step, so the steps are counted instead.
 */
import type { ReplyEvent, Usage } from '../../../event.ts';
import {
  asCost,
  asCount,
  asObject,
  asObjects,
  asText,
  firstTime,
  type JsonObject,
  shown,
} from '../../json/json-fields.ts';
import {
  type Line,
  type Outcome,
  type Send,
  sendCall,
  sendDiff,
  sendResult,
  sendUser,
  stopOf,
  unlessZero,
  usageApart,
} from '../chat.ts';
import type { OpencodeState } from './adapter.ts';

const PARTS: ReadonlySet<string> = new Set(
  'text reasoning file agent subtask step-start step-finish snapshot patch retry compaction tool'.split(' '),
);

export function readParts(line: Line<OpencodeState>): unknown {
  const info = asObject(line.record.info) ?? {};
  const parts = asObjects(line.record.parts);
  if (parts.some(({ type }) => type === 'compaction')) {
    line.state.compacting = true;
    line.send({ kind: 'compaction' });
  }
  if (info.role === 'user') readUser(line, parts);
  else readReply(line, info, parts);
  return parts.map(({ type }) => asText(type) ?? '(no type)').find((type) => !PARTS.has(type));
}

function readUser({ state, send }: Line<OpencodeState>, parts: readonly JsonObject[]): void {
  const texts = parts.filter(({ type }) => type === 'text');
  const typed = texts.filter(({ synthetic, ignored }) => synthetic !== true && ignored !== true);
  const hasMore = parts.some(({ type }) => type === 'file' || type === 'subtask' || type === 'agent');
  if (typed.length > 0 || hasMore) sendUser(send, textOf(typed), state.subagent ? 'subagent' : 'user', true);
  else if (texts.length > 0) sendUser(send, textOf(texts), 'runtime', true);
}

function textOf(parts: readonly JsonObject[]): string {
  return parts.flatMap(({ text }) => asText(text) ?? []).join('\n');
}

function readReply(
  { state, send }: Line<OpencodeState>,
  info: JsonObject,
  parts: readonly JsonObject[],
): void {
  if (info.summary === true) {
    if (!state.compacting) send({ kind: 'compaction' });
    state.compacting = false;
  }
  const steps = stepsOf(parts);
  const id = asText(info.id);
  const about = asObject(info.model);
  const error = stopOfError(info.error);
  const hasCounts = parts.some(
    ({ type, tokens }) => type === 'step-finish' && asObject(tokens) !== undefined,
  );
  steps.forEach((step, index) => {
    const isLast = index === steps.length - 1;
    const counted = hasCounts ? step.finish : isLast ? info : undefined;
    const usage = stepUsage(counted?.tokens, firstTime(asObject(info.time)?.created));
    send({
      kind: 'reply',
      text: info.summary === true ? '' : textOf(step.parts.filter(({ type }) => type === 'text')),
      textMissing: parts.length === 0 && error === undefined ? true : undefined,
      messageId: id && `${id}/${index}`,
      model: asText(info.modelID) ?? asText(about?.modelID),
      provider: asText(info.providerID) ?? asText(about?.providerID),
      usage,
      costUsd: stepCost(counted?.cost, usage),
      stop: (isLast ? error : undefined) ?? stopOf(step.finish?.reason ?? (isLast ? info.finish : undefined)),
    });
    for (const part of step.parts) if (part.type === 'tool') readTool(part, `${id}/${index}`, send);
  });
  if (error === 'aborted') send({ kind: 'interrupt' });
}

type Step = { readonly parts: readonly JsonObject[]; readonly finish: JsonObject | undefined };

/** A message without parts is one step: it was requested, and may have failed. */
function stepsOf(parts: readonly JsonObject[]): Step[] {
  const steps: { parts: JsonObject[]; finish: JsonObject | undefined }[] = [];
  let open: (typeof steps)[number] | undefined;
  for (const part of parts) {
    if (part.type === 'step-start') open = undefined;
    if (part.type !== 'text' && part.type !== 'tool' && part.type !== 'step-finish') continue;
    if (open === undefined) {
      open = { parts: [], finish: undefined };
      steps.push(open);
    }
    if (part.type === 'step-finish') {
      open.finish = part;
      open = undefined;
    } else open.parts.push(part);
  }
  return steps.length === 0 ? [{ parts: [], finish: undefined }] : steps;
}

const ERRORS: ReadonlyMap<unknown, ReplyEvent['stop']> = new Map([
  ['MessageAbortedError', 'aborted'],
  ['MessageOutputLengthError', 'length'],
  ['ContentFilterError', 'refusal'],
]);

export function stopOfError(error: unknown): ReplyEvent['stop'] {
  const fields = asObject(error);
  return fields && (ERRORS.get(fields.name) ?? 'error');
}

/** From this day on reasoning is not in the output. */
const REASONING_APART = Date.UTC(2026, 3, 4);

/**
 * Tokens of one step. The input is without cached tokens. Reasoning is separate from the output; before April 2026 it
 * was included and still listed: the total shows which. An unfinished message has zeros.
 */
export function stepUsage(tokens: unknown, at: number | undefined): Usage | undefined {
  const fields = asObject(tokens);
  const cache = asObject(fields?.cache);
  const usage = usageApart(fields?.input, fields?.output, cache?.read, cache?.write);
  if (usage === undefined) return undefined;
  const reasoning = asCount(fields?.reasoning) ?? 0;
  const sum = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  const total = asCount(fields?.total);
  const isInside = total === undefined ? at !== undefined && at < REASONING_APART : total === sum;
  return unlessZero(isInside ? usage : { ...usage, output: usage.output + reasoning });
}

export function stepCost(cost: unknown, usage: Usage | undefined): number | undefined {
  return typeof cost === 'number' ? asCost(cost, usage) : undefined;
}

export function readTool(part: JsonObject, place: string, send: Send): void {
  const state = asObject(part.state) ?? {};
  const metadata = asObject(state.metadata);
  const time = asObject(state.time);
  const started = firstTime(time?.start);
  const ended = firstTime(time?.end) ?? started;
  const callId = `${place} ${asText(part.callID) ?? asText(part.id) ?? ''}`;
  const tool = asText(part.tool) ?? 'unknown';
  const child = tool === 'task' ? (asText(metadata?.sessionId) ?? asText(metadata?.sessionID)) : undefined;
  sendCall((event) => send(event, started), callId, tool, state.input);
  if (child !== undefined) send({ kind: 'spawn', spawnId: callId, sessionId: child }, started);
  const outcome = outcomeOf(state, tool);
  sendDiff(send, callId, metadata?.diff, asObject(state.input)?.filePath, ended);
  sendResult(send, callId, outcome, ended);
  if (child !== undefined && outcome.ok !== undefined)
    send({ kind: 'spawn', spawnId: callId, ok: outcome.ok }, ended);
}

const DENIED = /^(?:Error: )?The user rejected permission(?:[^\n]{0,200}?feedback: (?<reason>[\s\S]*))?/;
const FORBIDDEN = /^(?:Error: )?The user has specified a rule which prevents/;

function outcomeOf(state: JsonObject, tool: string): Outcome {
  const metadata = asObject(state.metadata);
  switch (state.status) {
    case 'completed':
    case 'success':
      return { ok: hasWorked(metadata, tool), text: shown(state.output) ?? '' };
    case 'error': {
      const text = shown(state.error) ?? '';
      // Stopped with everything else when the user stopped the agent.
      if (metadata?.interrupted === true || text === 'Tool execution aborted') return { denied: true, text };
      if (FORBIDDEN.test(text)) return { denied: true, byRule: true, text };
      const denied = DENIED.exec(text);
      return denied === null
        ? { ok: false, text }
        : { denied: true, reason: asText(denied.groups?.reason?.trim()), text };
    }
    default:
      return { running: true };
  }
}

/**
 * A failed command is still `completed`: its exit code shows the failure. Without one it was stopped or timed out.
 * `invalid` replaces a call that could not be made.
 */
function hasWorked(metadata: JsonObject | undefined, tool: string): boolean | undefined {
  if (tool === 'invalid') return false;
  if (metadata !== undefined && 'exit' in metadata) return metadata.exit === 0;
  return /^(?:bash|shell)$/.test(tool) ? undefined : true;
}
