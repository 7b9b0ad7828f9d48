/** The facts of one span in any convention. */
import type { EndReason, ReplyEvent, Usage } from '../../../event.ts';
import {
  asCost,
  asId,
  asObject,
  asText,
  contentText,
  defined,
  isZero,
  type JsonObject,
  parsed,
  shown,
  usageOf,
} from '../../json/json-fields.ts';
import { type Attributes, attributesOf, firstOf } from './attributes.ts';
import { bare, type MessageResult, messagesIn, readMessage } from './messages.ts';
import type { OtlpSpan, SpanEvent } from './span.ts';

/**
 * Under which names each fact is stated: by the GenAI conventions new and old, OpenInference, Traceloop, the AI SDK, Langfuse,
 * LangSmith, MLflow, Google's ADK and others. The first that is there counts.
 */
const NAMES = {
  kind: 'openinference.span.kind traceloop.span.kind langsmith.span.kind langfuse.observation.type mlflow.spanType',
  conversation:
    'gen_ai.conversation.id session.id langfuse.session.id gcp.vertex.agent.session_id mlflow.trace.session',
  agent:
    'gen_ai.agent.name agent.name graph.node.id gen_ai.agent.id traceloop.entity.name ai.telemetry.functionId',
  asksModel: 'gen_ai.request.model gen_ai.response.model llm.request.type',
  answeringModel: 'gen_ai.response.model ai.response.model',
  model: 'llm.model_name langfuse.observation.model.name gen_ai.request.model llm.request.model ai.model.id',
  answer: 'output.value mlflow.spanOutputs',
  messageId: 'gen_ai.response.id ai.response.id',
  provider: 'gen_ai.provider.name gen_ai.system llm.provider llm.system',
  input: `gen_ai.usage.input_tokens gen_ai.usage.prompt_tokens llm.token_count.prompt llm.usage.prompt_tokens
    ai.usage.inputTokens ai.usage.promptTokens`,
  output: `gen_ai.usage.output_tokens gen_ai.usage.completion_tokens llm.token_count.completion
    llm.usage.completion_tokens ai.usage.outputTokens ai.usage.completionTokens`,
  cacheRead: `gen_ai.usage.cache_read.input_tokens gen_ai.usage.cache_read_input_tokens
    gen_ai.usage.input_tokens.cached llm.token_count.prompt_details.cache_read
    ai.usage.inputTokenDetails.cacheReadTokens ai.usage.cachedInputTokens`,
  cacheWrite: `gen_ai.usage.cache_creation.input_tokens gen_ai.usage.cache_creation_input_tokens
    gen_ai.usage.cache_write.input_tokens llm.token_count.prompt_details.cache_write
    ai.usage.inputTokenDetails.cacheWriteTokens`,
  /** Counts as one object. */
  usage: 'langfuse.observation.usage_details mlflow.chat.tokenUsage',
  cost: 'gen_ai.usage.cost llm.cost.total gen_ai.cost.total',
  finish:
    'gen_ai.response.finish_reasons ai.response.finishReason llm.finish_reason anthropic.message.stop_reason',
  tool: 'gen_ai.tool.name tool.name ai.toolCall.name traceloop.entity.name mlflow.spanFunctionName',
  callId: 'gen_ai.tool.call.id ai.toolCall.id tool_call.id tool.id',
  toolInput: `gen_ai.tool.call.arguments ai.toolCall.args traceloop.entity.input tool_arguments
    gcp.vertex.agent.tool_call_args mlflow.spanInputs langfuse.observation.input`,
  /** `tool.parameters` may hold its schema instead, so the input comes first. */
  otherToolInput: 'input.value tool.parameters',
  toolOutput: `gen_ai.tool.call.result ai.toolCall.result traceloop.entity.output output.value
    langfuse.observation.output tool_response gcp.vertex.agent.tool_response mlflow.spanOutputs gen_ai.completion`,
} as const;

const KEYS = new Map(Object.entries(NAMES).map(([fact, names]) => [fact, names.split(/\s+/)]));

function stated(attributes: Attributes, fact: keyof typeof NAMES): unknown {
  return firstOf(attributes, ...(KEYS.get(fact) ?? []));
}

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

const OPERATION = 'gen_ai.operation.name';

export function roleOf({ attributes, name }: OtlpSpan): Role | undefined {
  const operation = attributes.get(OPERATION);
  if (operation !== undefined) return OPERATIONS.get(operation) ?? 'other';
  const kind = stated(attributes, 'kind');
  if (typeof kind === 'string') return KINDS.get(kind.replaceAll('"', '').toUpperCase()) ?? 'other';
  const ofAiSdk = aiSdkRole(asText(attributes.get('ai.operationId')));
  if (ofAiSdk !== undefined) return ofAiSdk;
  const asks = stated(attributes, 'asksModel');
  if (asks !== undefined) return /embed|rerank/i.test(`${name} ${asks}`) ? 'other' : 'chat';
  return OPERATIONS.get(name.split(' ', 1)[0]) ?? (attributes.has('gen_ai.tool.name') ? 'tool' : undefined);
}

/** `ai.generateText` is a loop of `ai.generateText.doGenerate` and `ai.toolCall`. */
function aiSdkRole(operation: string | undefined): Role | undefined {
  if (operation === undefined || !operation.startsWith('ai.')) return undefined;
  if (operation === 'ai.toolCall') return 'tool';
  if (/\.do(?:Generate|Stream)$/.test(operation)) return 'chat';
  return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(operation) ? 'agent' : 'other';
}

/** Work on documents has documents as input, not the user's text. */
const OF_DOCUMENTS = /embed|retriev|rerank|guardrail|evaluat|prompt|memory/i;

/** A span that may have the request of a run. */
export function isGiven({ attributes }: OtlpSpan, role: Role | undefined): boolean {
  if (role !== 'other') return role === 'agent';
  return !OF_DOCUMENTS.test(asText(attributes.get(OPERATION) ?? stated(attributes, 'kind')) ?? '');
}

/** What only wraps a request to a model fails with it, and that is no step. */
export function isStep({ attributes }: OtlpSpan, role: Role | undefined): boolean {
  return role === 'other' && !/^model_/.test(asText(attributes.get(OPERATION)) ?? '');
}

/** An unknown operation, whose attributes are not read yet. */
export function unknownOperation(raw: unknown): string | undefined {
  const isNamed = (one: unknown): boolean => asObject(one)?.key === OPERATION;
  const found = Array.isArray(raw) ? raw.filter(isNamed) : { [OPERATION]: asObject(raw)?.[OPERATION] };
  const operation = asText(attributesOf(found).get(OPERATION));
  if (operation === undefined || OPERATIONS.has(operation)) return undefined;
  return /memory|model|workflow|processor|step|chunk/.test(operation) ? undefined : `operation ${operation}`;
}

/** `ai.telemetry.metadata.sessionId`, `traceloop.association.properties.session_id`, `mastra.metadata.threadId`, … */
const WORDS = ['session', 'conversation', 'thread', 'chat'] as const;
const GIVEN =
  /(?:^|\.)(?:metadata|properties|context|baggage|attributes|thread|session|conversation)\.|^(?:session|conversation|thread|chat)_?id$/i;
/** Names of a project, a browser's visit or a thread of the operating system. */
const OTHERS = /^(?:langsmith\.trace|browser|http|thread|process)\./;

/** The conversation of a span, under the many names of applications and frameworks. */
export function conversationOf({ attributes, resource }: OtlpSpan): string | undefined {
  return (
    asId(stated(attributes, 'conversation')) ??
    givenConversation(attributes) ??
    asId(stated(resource, 'conversation'))
  );
}

/** An attribute added by the application. A session takes precedence over a thread. */
function givenConversation(attributes: Attributes): string | undefined {
  const found = new Map<string, string>();
  const note = (key: string, value: unknown): void => {
    const word = idWordOf(key);
    const id = word === undefined ? undefined : asId(value);
    if (word !== undefined && id !== undefined && !found.has(word)) found.set(word, id);
  };
  for (const [key, value] of attributes) {
    if (key === 'metadata' || key.endsWith('.metadata'))
      for (const [name, inner] of Object.entries(asObject(parsed(value)) ?? {}).slice(0, 100))
        note(name, inner);
    if (GIVEN.test(key) && !OTHERS.test(key)) note(key, value);
  }
  for (const word of WORDS) if (found.has(word)) return found.get(word);
  return undefined;
}

/** `sessionId`, `session_id` and `conversation-id` end in an id of a session and of a conversation. */
function idWordOf(key: string): (typeof WORDS)[number] | undefined {
  const last = key.slice(key.lastIndexOf('.') + 1);
  if (last.length > 20 || !/id$/i.test(last)) return undefined;
  const plain = last.toLowerCase().replace(/[_-]/g, '');
  return WORDS.find((word) => plain === `${word}id`);
}

export function agentOf({ attributes }: OtlpSpan): string | undefined {
  return asText(stated(attributes, 'agent'));
}

export function programOf(resource: Attributes): string | undefined {
  return asText(resource.get('service.name'));
}

export function serviceOf({ resource }: OtlpSpan): string | undefined {
  const name = programOf(resource);
  return name?.startsWith('unknown_service') === true ? undefined : name;
}

export function modelOf({ attributes }: OtlpSpan): string | undefined {
  return (
    asText(stated(attributes, 'answeringModel')) ??
    modelIn(parsed(stated(attributes, 'answer'))) ??
    asText(stated(attributes, 'model'))
  );
}

/** The answer of an API names the model that gave it. */
function modelIn(value: unknown, depth = 0): string | undefined {
  const object = asObject(Array.isArray(value) ? value.flat(2)[0] : value);
  if (object === undefined || depth > 6) return undefined;
  const named = asText(object.model) ?? asText(object.model_name);
  if (named !== undefined) return named;
  for (const key of ['generations', 'message', 'kwargs', 'response_metadata', 'response']) {
    const found = modelIn(object[key], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The id of a message in an answer, the same in every layer. */
export function messageIdOf({ attributes, spanId }: OtlpSpan): string {
  return asText(stated(attributes, 'messageId')) ?? spanId;
}

export function providerOf({ attributes }: OtlpSpan): string | undefined {
  return asText(stated(attributes, 'provider'));
}

export function spanUsage({ attributes }: OtlpSpan): Usage | undefined {
  const details = asObject(parsed(stated(attributes, 'usage')));
  // The provider's own counts: `{"openai":{"cachedPromptTokens":768}}`.
  const providers = asObject(parsed(attributes.get('ai.response.providerMetadata')));
  const provider = asObject(Object.values(providers ?? {})[0]);
  const usage = usageOf(
    stated(attributes, 'input') ?? details?.input ?? details?.input_tokens,
    stated(attributes, 'output') ?? details?.output ?? details?.output_tokens,
    stated(attributes, 'cacheRead') ?? provider?.cachedPromptTokens ?? provider?.cacheReadInputTokens,
    stated(attributes, 'cacheWrite') ?? provider?.cacheCreationInputTokens,
  );
  return usage === undefined || isZero(usage) ? undefined : usage;
}

export function spanCost({ attributes }: OtlpSpan): number | undefined {
  return asCost(stated(attributes, 'cost'), undefined);
}

const STOPS = new Map<unknown, NonNullable<ReplyEvent['stop']>>([
  ['stop', 'end'],
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['completed', 'end'],
  ['tool_call', 'tool'],
  ['tool_calls', 'tool'],
  ['tool_use', 'tool'],
  ['function_call', 'tool'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['content_filter', 'refusal'],
  ['refusal', 'refusal'],
  ['safety', 'refusal'],
  ['malformed_function_call', 'error'],
  ['error', 'error'],
]);

export function stopOf(span: OtlpSpan, finish: string | undefined, calls: boolean): ReplyEvent['stop'] {
  if (hasFailed(span)) return endOf(span) === 'aborted' ? 'aborted' : 'error';
  const said = parsed(stated(span.attributes, 'finish'));
  const reason: unknown = Array.isArray(said) ? said[0] : (said ?? finish);
  const plain = typeof reason === 'string' ? reason.toLowerCase().replaceAll('-', '_') : undefined;
  const stop = STOPS.get(plain);
  // Some always report "stop": an answer with calls has not stopped.
  return calls && (stop === 'end' || stop === undefined) ? 'tool' : stop;
}

export function hasFailed({ status, attributes, events }: OtlpSpan): boolean {
  if (status === 'error' || asText(attributes.get('error.type')) !== undefined) return true;
  if (attributes.get('langfuse.observation.level') === 'ERROR') return true;
  return status === 'unset' && events.some(isEscaped);
}

/** An exception that ended the work; one that was caught is only noted. */
function isEscaped({ name, attributes }: SpanEvent): boolean {
  return name === 'exception' && attributes.get('exception.escaped') !== false;
}

export function endOf(span: OtlpSpan): EndReason {
  if (!hasFailed(span)) return 'normal';
  const why = `${asText(span.attributes.get('error.type')) ?? ''} ${span.statusText.slice(0, 500)}`;
  if (/cancel|abort|interrupt/i.test(why)) return 'aborted';
  if (/time.?out|deadline/i.test(why)) return 'timeout';
  return /max.?(?:turns|steps|iterations)|recursion.?limit|budget/i.test(why) ? 'limit' : 'error';
}

export type ToolFacts = {
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
  const { attributes, status } = span;
  const answer = answerOf(span);
  const text = answer?.text ?? asText(span.statusText);
  const given = stated(attributes, 'toolInput');
  const ok = answer?.ok ?? (status === 'ok' || text === undefined ? true : undefined);
  return {
    tool: asText(stated(attributes, 'tool')) ?? span.name.replace(/^execute_tool\s+/, ''),
    callId: asId(stated(attributes, 'callId')) ?? answer?.id,
    input: given === undefined ? parsed(stated(attributes, 'otherToolInput')) : keywords(parsed(given)),
    text,
    ok: hasFailed(span) ? false : ok,
  };
}

/** What a tool answered; frameworks wrap it into the message that the model is going to read. */
function answerOf({ attributes, events }: OtlpSpan): MessageResult | undefined {
  const status = attributes.get('gen_ai.tool.status');
  const ok = status === 'success' ? true : status === 'error' ? false : undefined;
  const choice = events.find(({ name }) => name === 'gen_ai.choice');
  const said = stated(attributes, 'toolOutput') ?? choice?.attributes.get('message');
  const [message] = messagesIn(said) ?? [];
  const [result] = message === undefined ? [] : readMessage(message, 'tool').results;
  if (result !== undefined) return { ...defined({ ok }), ...result };
  const answer = bare(typeof said === 'string' && /^[{["]/.test(said) ? parsed(said) : said);
  const text = Array.isArray(answer) ? contentText(answer) || shown(said) : shown(answer);
  return text === undefined && ok === undefined ? undefined : defined({ ok, text });
}

/** `{"args":[],"kwargs":{"path":…}}`: how a function was called. */
function keywords(input: unknown): unknown {
  const kwargs: JsonObject | undefined = asObject(asObject(input)?.kwargs);
  return kwargs !== undefined && Object.keys(kwargs).length > 0 ? kwargs : input;
}
