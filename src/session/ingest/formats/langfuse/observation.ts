/** One observation: exports spell fields in two ways, and text in many. */
import type { Usage } from '../../../event.ts';
import {
  asArray,
  asCost,
  asId,
  asObject,
  asObjects,
  asText,
  contentText,
  cutText,
  firstTime,
  isZero,
  type JsonObject,
  parsed,
  shown,
} from '../../json/json-fields.ts';
import { callsIn as chatCallsIn } from '../chat.ts';

type WishedCall = { readonly id: string; readonly tool: string; readonly input: unknown };
type ToolAnswer = { readonly id: string; readonly text: string; readonly ok?: boolean };

export type Observation = {
  readonly id: string;
  readonly trace: string;
  readonly session?: string;
  readonly parent?: string;
  readonly type: string;
  readonly name?: string;
  readonly traceName?: string;
  readonly at?: number;
  readonly end?: number;
  readonly failed: boolean;
  readonly model?: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** The user's last message, where the input is a conversation or a text. */
  readonly asked?: string;
  /** The output. */
  readonly said: string;
  readonly calls: readonly WishedCall[];
  /** What tools gave since the model spoke last. */
  readonly answers: readonly ToolAnswer[];
  /** The input of a tool. */
  readonly input?: unknown;
  /** Its place in the file. */
  readonly line: number;
};

const OBSERVATION_TYPES: ReadonlySet<string> = new Set(
  'SPAN GENERATION EVENT AGENT TOOL CHAIN RETRIEVER EVALUATOR EMBEDDING GUARDRAIL'.split(' '),
);

/** The part of a user's message that is used: corrections and tasks are detected in it. */
const MOST_ASKED = 20_000;

export function field(row: JsonObject, camel: string): unknown {
  return row[camel] ?? row[camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

export function isObservation(row: JsonObject | undefined): boolean {
  return (
    row !== undefined &&
    asText(row.id) !== undefined &&
    asText(field(row, 'traceId')) !== undefined &&
    OBSERVATION_TYPES.has(String(row.type)) &&
    field(row, 'startTime') !== undefined
  );
}

/** What a trace says about all its observations. */
export type TraceHead = { readonly session?: string; readonly traceName?: string };

export function readObservation(row: JsonObject, head: TraceHead, line: number): Observation {
  const type = String(row.type);
  const usage = usageIn(row);
  const input = parsed(row.input);
  const isTool = type === 'TOOL' || type === 'RETRIEVER';
  return {
    id: asText(row.id) ?? '',
    trace: asText(field(row, 'traceId')) ?? '',
    type,
    failed: row.level === 'ERROR',
    line,
    said: cutText(saidIn(parsed(row.output), type)),
    calls: type === 'GENERATION' ? callsIn(parsed(row.output)) : [],
    answers: type === 'GENERATION' ? answersIn(sinceReply(input)) : [],
    input: isTool ? input : undefined,
    session: asId(field(row, 'sessionId')) ?? head.session,
    traceName: asText(field(row, 'traceName')) ?? head.traceName,
    parent: asText(field(row, 'parentObservationId')),
    name: asText(row.name),
    at: firstTime(spaced(field(row, 'startTime'))),
    end: firstTime(spaced(field(row, 'endTime'))),
    model: asText(row.model) ?? asText(field(row, 'providedModelName')),
    asked: isTool ? undefined : requestIn(input),
    usage,
    costUsd: costIn(row, usage),
  };
}

/** Storage has `2026-05-29 13:46:19.963000`, in UTC. */
function spaced(time: unknown): unknown {
  return typeof time === 'string' ? time.replace(' ', 'T').replace(/(\.\d{3})\d+/, '$1') : time;
}

/** Kinds of tokens do not overlap here: cached tokens are not part of `input`. */
function usageIn(row: JsonObject): Usage | undefined {
  const details = asObject(parsed(field(row, 'usageDetails'))) ?? {};
  const counts = Object.entries(details).filter(([, count]) => numberOf(count) !== undefined);
  const sum = (wanted: (key: string) => boolean) =>
    counts.reduce((all, [key, count]) => all + (wanted(key.toLowerCase()) ? (numberOf(count) ?? 0) : 0), 0);
  const isWritten = (key: string) => /cache/.test(key) && /creation|write/.test(key);
  const isRead = (key: string) => /cache/.test(key) && !isWritten(key);
  const usage: Usage = {
    input: sum((key) => /^(?:input|prompt)/.test(key) && !/cache/.test(key)),
    output: sum((key) => /^(?:output|completion)/.test(key) && !/cache/.test(key)),
    cacheRead: sum(isRead),
    cacheWrite: sum(isWritten),
  };
  if (!isZero(usage)) return usage;
  const before = asObject(row.usage) ?? {};
  const [input, output] = [
    numberOf(before.input) ?? numberOf(row.promptTokens) ?? numberOf(row.inputUsage),
    numberOf(before.output) ?? numberOf(row.completionTokens) ?? numberOf(row.outputUsage),
  ];
  if ((input ?? 0) + (output ?? 0) === 0) return undefined;
  return { input: input ?? 0, output: output ?? 0, cacheRead: 0, cacheWrite: 0 };
}

function costIn(row: JsonObject, usage: Usage | undefined): number | undefined {
  const details = asObject(parsed(field(row, 'costDetails'))) ?? {};
  const given = [details.total, field(row, 'totalCost'), row.calculatedTotalCost].map(numberOf);
  return asCost(
    given.find((cost) => cost !== undefined),
    usage,
  );
}

/** Decimals are written as numbers or as texts. */
function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === 'string' && /^\d{1,15}(?:\.\d{1,30})?(?:e-?\d{1,2})?$/i.test(value)
      ? Number(value)
      : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** A conversation: a list of messages, alone or as `messages`. */
function messagesIn(value: unknown): JsonObject[] {
  const list = Array.isArray(value) ? value : asArray(asObject(value)?.messages);
  return asObjects(list).filter(({ role }) => typeof role === 'string');
}

function sinceReply(input: unknown): JsonObject[] {
  const messages = messagesIn(input);
  const last = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'model');
  return messages.slice(last + 1);
}

function requestIn(input: unknown): string | undefined {
  const texts = sinceReply(input)
    .filter(({ role }) => role === 'user' || role === 'human')
    .map(({ content }) => contentText(content));
  const text = texts.findLast((one) => one !== '') ?? plainInput(input);
  return text?.slice(0, MOST_ASKED);
}

const INPUT_NAMES = ['input', 'question', 'query', 'prompt', 'message', 'text'];

function plainInput(input: unknown): string | undefined {
  if (typeof input === 'string') return asText(input);
  const fields = asObject(input) ?? {};
  return INPUT_NAMES.map((name) => asText(fields[name])).find((text) => text !== undefined);
}

function replyIn(output: unknown): JsonObject | undefined {
  const answer = asObject(output);
  if (answer === undefined) return messagesIn(output).findLast(({ role }) => role === 'assistant');
  const [choice] = asObjects(answer.choices);
  return asObject(choice?.message) ?? asObject(answer.message) ?? answer;
}

function saidIn(output: unknown, type: string): string {
  if (typeof output === 'string') return output;
  const reply = type === 'GENERATION' ? replyIn(output) : undefined;
  const text = reply === undefined ? '' : contentText(reply.content);
  if (text !== '' || (reply !== undefined && callsIn(output).length > 0)) return text;
  return shown(output) ?? '';
}

function callsIn(output: unknown): WishedCall[] {
  return chatCallsIn(replyIn(output) ?? {}).flatMap((call) => {
    const [id, tool] = [asText(call.id), asText(call.name)];
    return id === undefined || tool === undefined ? [] : [{ id, tool, input: call.input }];
  });
}

function answersIn(messages: readonly JsonObject[]): ToolAnswer[] {
  return messages.flatMap((message) => {
    const own = asText(message.tool_call_id);
    if (own !== undefined) return [{ id: own, text: cutText(contentText(message.content)) }];
    return asObjects(message.content).flatMap((part) => {
      const id = asText(part.tool_use_id) ?? asText(part.toolCallId);
      if (id === undefined) return [];
      const text = contentText(part.content) || shown(part.output ?? part.result) || '';
      return [{ id, text: cutText(text), ...(part.is_error === true && { ok: false }) }];
    });
  });
}
