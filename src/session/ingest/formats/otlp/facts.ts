/** What one span says, whichever convention it follows. */
import type { EndReason, ReplyEvent, Usage } from '../../../event.ts';
import {
  asCost,
  asId,
  asObject,
  asText,
  contentText,
  isZero,
  type JsonObject,
  parsed,
  shown,
  usageOf,
} from '../../json/json-fields.ts';
import { type Attributes, firstOf } from './attributes.ts';
import { messagesIn } from './message-lists.ts';
import { bare, type MessageResult, readMessage } from './message-parts.ts';
import { openInferenceInput } from './openinference.ts';
import type { OtlpSpan, SpanEvent } from './span.ts';

/** `other`: part of an agent's work that is neither a message nor a call. Undefined: nothing to do with agents. */
export type Role = 'chat' | 'tool' | 'agent' | 'other';

const OPERATIONS = new Map<unknown, Role>([
  ['chat', 'chat'],
  ['generate_content', 'chat'],
  ['text_completion', 'chat'],
  ['completion', 'chat'],
  ['execute_tool', 'tool'],
  ['invoke_agent', 'agent'],
  ['invoke_workflow', 'other'],
  ['create_agent', 'other'],
  ['embeddings', 'other'],
  ['retrieval', 'other'],
  ['plan', 'other'],
  ['agent_step', 'other'],
]);

const KINDS = new Map<unknown, Role>([
  ['LLM', 'chat'],
  ['GENERATION', 'chat'],
  ['CHAT_MODEL', 'chat'],
  ['TOOL', 'tool'],
  ['AGENT', 'agent'],
]);

/** Which attribute says what kind of work a span is, by whoever made it. */
const KIND_NAMES = [
  'openinference.span.kind',
  'traceloop.span.kind',
  'langsmith.span.kind',
  'langfuse.observation.type',
  'mlflow.spanType',
] as const;

const STOPS = new Map<unknown, NonNullable<ReplyEvent['stop']>>([
  ['stop', 'end'],
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_call', 'tool'],
  ['tool_calls', 'tool'],
  ['tool_use', 'tool'],
  ['function_call', 'tool'],
  ['malformed_function_call', 'error'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['completed', 'end'],
  ['content_filter', 'refusal'],
  ['refusal', 'refusal'],
  ['safety', 'refusal'],
  ['error', 'error'],
]);

export function roleOf(span: OtlpSpan): Role | undefined {
  const { attributes, name } = span;
  const operation = attributes.get('gen_ai.operation.name');
  if (operation !== undefined) return OPERATIONS.get(operation) ?? 'other';
  const kind = firstOf(attributes, ...KIND_NAMES);
  if (typeof kind === 'string') return KINDS.get(kind.replaceAll('"', '').toUpperCase()) ?? 'other';
  const ofAiSdk = aiSdkRole(asText(attributes.get('ai.operationId')));
  if (ofAiSdk !== undefined) return ofAiSdk;
  const asks = firstOf(attributes, 'gen_ai.request.model', 'gen_ai.response.model', 'llm.request.type');
  if (asks !== undefined) return /embed|rerank/i.test(`${name} ${asks}`) ? 'other' : 'chat';
  return OPERATIONS.get(name.split(' ', 1)[0]) ?? (attributes.has('gen_ai.tool.name') ? 'tool' : undefined);
}

/** Work with documents is given documents, not what a person said. */
const OF_DOCUMENTS = /embed|retriev|rerank|guardrail|evaluat|prompt|memory/i;

/** A span that may carry what a run was given to do. */
export function isGiven(span: OtlpSpan): boolean {
  const role = roleOf(span);
  if (role !== 'other') return role === 'agent';
  const kind = asText(firstOf(span.attributes, 'gen_ai.operation.name', ...KIND_NAMES)) ?? '';
  return !OF_DOCUMENTS.test(kind);
}

/** `ai.generateText` is a loop of `ai.generateText.doGenerate` and `ai.toolCall`. */
function aiSdkRole(operation: string | undefined): Role | undefined {
  if (operation === undefined || !operation.startsWith('ai.')) return undefined;
  if (operation === 'ai.toolCall') return 'tool';
  if (/\.do(?:Generate|Stream)$/.test(operation)) return 'chat';
  return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(operation) ? 'agent' : 'other';
}

export function isKnownOperation(operation: string): boolean {
  return OPERATIONS.has(operation) || /memory|model|workflow|processor|step|chunk/.test(operation);
}

export function agentOf(span: OtlpSpan): string | undefined {
  return asText(
    firstOf(
      span.attributes,
      'gen_ai.agent.name',
      'agent.name',
      'graph.node.id',
      'gen_ai.agent.id',
      'traceloop.entity.name',
      'ai.telemetry.functionId',
    ),
  );
}

export function serviceOf(span: OtlpSpan): string | undefined {
  const name = asText(span.resource.get('service.name'));
  return name?.startsWith('unknown_service') === true ? undefined : name;
}

export function modelOf(span: OtlpSpan): string | undefined {
  const { attributes } = span;
  return (
    asText(firstOf(attributes, 'gen_ai.response.model', 'ai.response.model')) ??
    modelIn(firstOf(attributes, 'output.value', 'mlflow.spanOutputs')) ??
    asText(
      firstOf(
        attributes,
        'llm.model_name',
        'langfuse.observation.model.name',
        'gen_ai.request.model',
        'llm.request.model',
        'ai.model.id',
      ),
    )
  );
}

const ON_THE_WAY = ['generations', 'message', 'kwargs', 'response_metadata', 'response'] as const;

/** The answer of an API names the model that gave it. */
function modelIn(value: unknown, depth = 0): string | undefined {
  const stated = depth === 0 ? parsed(value) : value;
  const object = asObject(Array.isArray(stated) ? stated.flat(2)[0] : stated);
  if (object === undefined || depth > 6) return undefined;
  const named = asText(object.model) ?? asText(object.model_name);
  if (named !== undefined) return named;
  for (const key of ON_THE_WAY) {
    const found = modelIn(object[key], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of a message in an answer, whichever layer tells it. */
export function messageIdOf(span: OtlpSpan): string {
  return asText(firstOf(span.attributes, 'gen_ai.response.id', 'ai.response.id')) ?? span.spanId;
}

export function providerOf(span: OtlpSpan): string | undefined {
  return asText(
    firstOf(span.attributes, 'gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system'),
  );
}

const INPUT = [
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.prompt_tokens',
  'llm.token_count.prompt',
  'llm.usage.prompt_tokens',
  'ai.usage.inputTokens',
  'ai.usage.promptTokens',
];
const OUTPUT = [
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.completion_tokens',
  'llm.token_count.completion',
  'llm.usage.completion_tokens',
  'ai.usage.outputTokens',
  'ai.usage.completionTokens',
];
const CACHE_READ = [
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.cache_read_input_tokens',
  'gen_ai.usage.input_tokens.cached',
  'llm.token_count.prompt_details.cache_read',
  'ai.usage.inputTokenDetails.cacheReadTokens',
  'ai.usage.cachedInputTokens',
];
const CACHE_WRITE = [
  'gen_ai.usage.cache_creation.input_tokens',
  'gen_ai.usage.cache_creation_input_tokens',
  'gen_ai.usage.cache_write.input_tokens',
  'llm.token_count.prompt_details.cache_write',
  'ai.usage.inputTokenDetails.cacheWriteTokens',
];

/** Counts as one object. */
const DETAILS = ['langfuse.observation.usage_details', 'mlflow.chat.tokenUsage'];

export function spanUsage({ attributes }: OtlpSpan): Usage | undefined {
  const provider = providerDetails(attributes);
  const details = asObject(parsed(firstOf(attributes, ...DETAILS)));
  const usage = usageOf(
    firstOf(attributes, ...INPUT) ?? details?.input ?? details?.input_tokens,
    firstOf(attributes, ...OUTPUT) ?? details?.output ?? details?.output_tokens,
    firstOf(attributes, ...CACHE_READ) ?? provider?.cachedPromptTokens ?? provider?.cacheReadInputTokens,
    firstOf(attributes, ...CACHE_WRITE) ?? provider?.cacheCreationInputTokens,
  );
  return usage === undefined || isZero(usage) ? undefined : usage;
}

/** What the provider counted in its own words: `{"openai":{"cachedPromptTokens":768}}`. */
function providerDetails(attributes: Attributes): JsonObject | undefined {
  const stated = asObject(parsed(attributes.get('ai.response.providerMetadata')));
  return stated === undefined ? undefined : asObject(Object.values(stated)[0]);
}

export function spanCost(span: OtlpSpan): number | undefined {
  return asCost(
    firstOf(span.attributes, 'gen_ai.usage.cost', 'llm.cost.total', 'gen_ai.cost.total'),
    undefined,
  );
}

const FINISHES = [
  'gen_ai.response.finish_reasons',
  'ai.response.finishReason',
  'llm.finish_reason',
  'anthropic.message.stop_reason',
] as const;

export function stopOf(span: OtlpSpan, finish: string | undefined, calls: boolean): ReplyEvent['stop'] {
  if (hasFailed(span)) return wasCancelled(span) ? 'aborted' : 'error';
  const stated = parsed(firstOf(span.attributes, ...FINISHES));
  const reason: unknown = Array.isArray(stated) ? stated[0] : (stated ?? finish);
  const plain = typeof reason === 'string' ? reason.toLowerCase().replaceAll('-', '_') : undefined;
  const stop = STOPS.get(plain);
  // Some say "stop" whatever came: who calls a tool has not stopped.
  return calls && (stop === 'end' || stop === undefined) ? 'tool' : stop;
}

export function hasFailed(span: OtlpSpan): boolean {
  if (span.status === 'error' || asText(span.attributes.get('error.type')) !== undefined) return true;
  return span.status === 'unset' && span.events.some(isEscaped);
}

/** An exception that ended the work; one that was caught is only noted. */
function isEscaped({ name, attributes }: SpanEvent): boolean {
  return name === 'exception' && attributes.get('exception.escaped') !== false;
}

function wasCancelled(span: OtlpSpan): boolean {
  return /cancel|abort|interrupt/i.test(whyFailed(span));
}

function whyFailed(span: OtlpSpan): string {
  return `${asText(span.attributes.get('error.type')) ?? ''} ${span.statusText.slice(0, 500)}`;
}

export function endOf(span: OtlpSpan): EndReason {
  if (!hasFailed(span)) return 'normal';
  if (wasCancelled(span)) return 'aborted';
  const why = whyFailed(span);
  if (/time.?out|deadline/i.test(why)) return 'timeout';
  return /max.?(?:turns|steps|iterations)|recursion.?limit|budget/i.test(why) ? 'limit' : 'error';
}

type ToolFacts = {
  readonly tool: string;
  readonly callId: string | undefined;
  readonly input: unknown;
  readonly text: string | undefined;
  readonly ok: boolean | undefined;
};

/**
 * Instrumentation marks failures and leaves the status unset otherwise. Where the answer was recorded it has the last
 * word, because a tool may report a failure in its answer; where it was not, an unset status is a success.
 */
export function toolFacts(span: OtlpSpan): ToolFacts {
  const { attributes } = span;
  const named = firstOf(
    attributes,
    'gen_ai.tool.name',
    'tool.name',
    'ai.toolCall.name',
    'traceloop.entity.name',
    'mlflow.spanFunctionName',
  );
  const answer = answerOf(span);
  const text = answer?.text ?? asText(span.statusText);
  const given = firstOf(
    attributes,
    'gen_ai.tool.call.arguments',
    'ai.toolCall.args',
    'traceloop.entity.input',
    'tool_arguments',
    'gcp.vertex.agent.tool_call_args',
    'mlflow.spanInputs',
    'langfuse.observation.input',
  );
  const stated = firstOf(attributes, 'gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.id');
  return {
    tool: asText(named) ?? span.name.replace(/^execute_tool\s+/, ''),
    callId: asId(stated) ?? answer?.id,
    input: given === undefined ? openInferenceInput(attributes) : keywords(parsed(given)),
    text,
    ok: hasFailed(span)
      ? false
      : (answer?.ok ?? (span.status === 'ok' || text === undefined ? true : undefined)),
  };
}

const ANSWERS = [
  'gen_ai.tool.call.result',
  'ai.toolCall.result',
  'traceloop.entity.output',
  'output.value',
  'langfuse.observation.output',
  'tool_response',
  'gcp.vertex.agent.tool_response',
  'mlflow.spanOutputs',
  'gen_ai.completion',
] as const;

/** What a tool answered; frameworks wrap it into the message that the model is going to read. */
function answerOf({ attributes, events }: OtlpSpan): MessageResult | undefined {
  const ok = STATUS_OK.get(asText(attributes.get('gen_ai.tool.status')) ?? '');
  const told = ok === undefined ? {} : { ok };
  const choice = events.find(({ name }) => name === 'gen_ai.choice');
  const stated = firstOf(attributes, ...ANSWERS) ?? choice?.attributes.get('message');
  const [message] = messagesIn(stated) ?? [];
  const [result] = message === undefined ? [] : readMessage(message, 'tool').results;
  if (result !== undefined) return { ...told, ...result };
  const answer = bare(typeof stated === 'string' && /^[{["]/.test(stated) ? parsed(stated) : stated);
  const text = Array.isArray(answer) ? contentText(answer) || shown(stated) : shown(answer);
  return text === undefined && ok === undefined
    ? undefined
    : { ...told, ...(text !== undefined && { text }) };
}

const STATUS_OK = new Map([
  ['success', true],
  ['error', false],
]);

/** `{"args":[],"kwargs":{"path":…}}`: how a function was called. */
function keywords(input: unknown): unknown {
  const kwargs = asObject(asObject(input)?.kwargs);
  return kwargs !== undefined && Object.keys(kwargs).length > 0 ? kwargs : input;
}
