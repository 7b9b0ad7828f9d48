/**
 * Messages of an OpenCode session with their parts. A message of the model may have many steps, each a request of its
 * own: its tokens are those of its last step, so the steps are counted instead.
 */
import type { ReplyEvent, UnplacedEvent } from '../../../event.ts';
import { asObject, asObjects, asText, defined, firstTime, type JsonObject } from '../../json/json-fields.ts';
import type { Emit } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import type { OpencodeState } from './state.ts';
import { readTool } from './tools.ts';
import { costOf, usageOf } from './usage.ts';

export function readMessage(
  state: OpencodeState,
  info: JsonObject,
  parts: readonly unknown[],
  line: number,
  emit: Emit,
): string | undefined {
  const at = firstTime(asObject(info.time)?.created);
  const send = (event: UnplacedEvent, when = at): void =>
    emit(placeEvent(event, { line, at: when }), state.session);
  const known = asObjects(parts);
  const unknown = known.map(({ type }) => asText(type) ?? '(no type)').find((type) => !PARTS.has(type));
  if (known.some(({ type }) => type === 'compaction')) {
    state.compacting = true;
    send({ kind: 'compaction' });
  }
  if (info.role === 'user') readUser(state, known, send);
  else if (info.role === 'assistant') readReply(state, info, known, send);
  else return asText(info.role) ?? '(no role)';
  return unknown;
}

export type Send = (event: UnplacedEvent, at?: number) => void;

const PARTS: ReadonlySet<string> = new Set(
  'text reasoning file agent subtask step-start step-finish snapshot patch retry compaction tool'.split(' '),
);

function readUser(state: OpencodeState, parts: readonly JsonObject[], send: Send): void {
  const texts = parts.filter(({ type }) => type === 'text');
  const typed = texts.filter(({ synthetic, ignored }) => synthetic !== true && ignored !== true);
  const hasMore = parts.some(({ type }) => type === 'file' || type === 'subtask' || type === 'agent');
  if (typed.length === 0 && !hasMore) {
    if (texts.length > 0) send({ kind: 'user', origin: 'runtime', text: textOf(texts) });
    return;
  }
  send({ kind: 'user', origin: state.subagent ? 'subagent' : 'user', text: textOf(typed) });
}

function textOf(parts: readonly JsonObject[]): string {
  return parts.flatMap(({ text }) => asText(text) ?? []).join('\n');
}

function readReply(state: OpencodeState, info: JsonObject, parts: readonly JsonObject[], send: Send): void {
  if (info.summary === true) {
    if (!state.compacting) send({ kind: 'compaction' });
    state.compacting = false;
  }
  const steps = stepsOf(parts);
  const about = aboutReply(info);
  const error = stopOfError(info.error);
  const hasCounts = parts.some(
    ({ type, tokens }) => type === 'step-finish' && asObject(tokens) !== undefined,
  );
  steps.forEach((step, index) => {
    const isLast = index === steps.length - 1;
    const stop =
      (isLast ? error : undefined) ?? stopOfReason(step.finish?.reason ?? (isLast ? info.finish : ''));
    const counted = hasCounts ? step.finish : isLast ? info : undefined;
    const usage = usageOf(counted?.tokens, about.at);
    send({
      kind: 'reply',
      text: info.summary === true ? '' : textOf(step.parts.filter(({ type }) => type === 'text')),
      ...(parts.length === 0 && error === undefined && { textMissing: true as const }),
      ...defined({ model: about.model, provider: about.provider, usage, stop }),
      ...defined({ costUsd: costOf(counted?.cost, usage) }),
      ...defined({ messageId: about.id === undefined ? undefined : `${about.id}/${index}` }),
    });
    for (const part of step.parts) if (part.type === 'tool') readTool(part, `${about.id}/${index}`, send);
  });
  if (asText(asObject(info.error)?.name) === 'MessageAbortedError') send({ kind: 'interrupt' });
}

function aboutReply(info: JsonObject) {
  const model = asObject(info.model);
  return {
    id: asText(info.id),
    model: asText(info.modelID) ?? asText(model?.modelID),
    provider: asText(info.providerID) ?? asText(model?.providerID),
    at: firstTime(asObject(info.time)?.created),
  };
}

type Step = { readonly parts: readonly JsonObject[]; readonly finish: JsonObject | undefined };

/** A message without parts is one step: it was asked for, and may have failed. */
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

type Stop = NonNullable<ReplyEvent['stop']>;

const REASONS: ReadonlyMap<unknown, Stop> = new Map<unknown, Stop>([
  ['stop', 'end'],
  ['tool-calls', 'tool'],
  ['length', 'length'],
  ['content-filter', 'refusal'],
  ['error', 'error'],
]);

export function stopOfReason(reason: unknown): Stop | undefined {
  return REASONS.get(reason);
}

const ERRORS: ReadonlyMap<unknown, Stop> = new Map<unknown, Stop>([
  ['MessageAbortedError', 'aborted'],
  ['MessageOutputLengthError', 'length'],
  ['ContentFilterError', 'refusal'],
]);

export function stopOfError(error: unknown): Stop | undefined {
  const fields = asObject(error);
  return fields === undefined ? undefined : (ERRORS.get(fields.name) ?? 'error');
}
