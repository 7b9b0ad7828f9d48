/** What one span says, whichever convention it follows. */
import type { EndReason, ReplyEvent, Usage } from '../../../event.ts';
import { asCost, asId, asText, isZero, parsed, shown, usageOf } from '../../json/json-fields.ts';
import { firstOf } from './attributes.ts';
import { openInferenceInput, openInferenceOutput } from './openinference.ts';
import type { OtlpSpan } from './span.ts';

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
]);

const KINDS = new Map<unknown, Role>([
  ['LLM', 'chat'],
  ['TOOL', 'tool'],
  ['AGENT', 'agent'],
]);

const STOPS = new Map<unknown, NonNullable<ReplyEvent['stop']>>([
  ['stop', 'end'],
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_call', 'tool'],
  ['tool_calls', 'tool'],
  ['tool_use', 'tool'],
  ['function_call', 'tool'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'refusal'],
  ['refusal', 'refusal'],
  ['safety', 'refusal'],
  ['error', 'error'],
]);

export function roleOf(span: OtlpSpan): Role | undefined {
  const { attributes, name } = span;
  const operation = attributes.get('gen_ai.operation.name');
  if (operation !== undefined) return OPERATIONS.get(operation) ?? 'other';
  const kind = firstOf(attributes, 'openinference.span.kind', 'traceloop.span.kind');
  if (typeof kind === 'string') return KINDS.get(kind.toUpperCase()) ?? 'other';
  if (firstOf(attributes, 'gen_ai.request.model', 'gen_ai.response.model') !== undefined)
    return /^embed/i.test(name) ? 'other' : 'chat';
  return OPERATIONS.get(name.split(' ', 1)[0]);
}

/** An operation that nobody knows yet. */
export function unknownOperation(span: OtlpSpan): string | undefined {
  const operation = asText(span.attributes.get('gen_ai.operation.name'));
  const known = operation === undefined || OPERATIONS.has(operation) || /memory/.test(operation);
  return known ? undefined : `operation ${operation}`;
}

/** The conversation, when the span itself names it. */
export function conversationOf(span: OtlpSpan): string | undefined {
  const names = ['gen_ai.conversation.id', 'session.id', 'langfuse.session.id'] as const;
  return asId(firstOf(span.attributes, ...names)) ?? asId(span.resource.get('session.id'));
}

export function agentOf(span: OtlpSpan): string | undefined {
  return asText(
    firstOf(span.attributes, 'gen_ai.agent.name', 'agent.name', 'gen_ai.agent.id', 'traceloop.entity.name'),
  );
}

export function serviceOf(span: OtlpSpan): string | undefined {
  const name = asText(span.resource.get('service.name'));
  return name?.startsWith('unknown_service') === true ? undefined : name;
}

export function modelOf(span: OtlpSpan): string | undefined {
  return asText(firstOf(span.attributes, 'gen_ai.response.model', 'llm.model_name', 'gen_ai.request.model'));
}

export function providerOf(span: OtlpSpan): string | undefined {
  return asText(
    firstOf(span.attributes, 'gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system'),
  );
}

export function spanUsage({ attributes }: OtlpSpan): Usage | undefined {
  const usage = usageOf(
    firstOf(attributes, 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt'),
    firstOf(
      attributes,
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.completion_tokens',
      'llm.token_count.completion',
    ),
    firstOf(
      attributes,
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'gen_ai.usage.input_tokens.cached',
      'llm.token_count.prompt_details.cache_read',
    ),
    firstOf(
      attributes,
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
      'gen_ai.usage.cache_write.input_tokens',
      'llm.token_count.prompt_details.cache_write',
    ),
  );
  return usage === undefined || isZero(usage) ? undefined : usage;
}

export function spanCost(span: OtlpSpan): number | undefined {
  return asCost(
    firstOf(span.attributes, 'gen_ai.usage.cost', 'llm.cost.total', 'gen_ai.cost.total'),
    undefined,
  );
}

export function stopOf(span: OtlpSpan, finish: string | undefined): ReplyEvent['stop'] {
  if (hasFailed(span)) return wasCancelled(span) ? 'aborted' : 'error';
  const stated = parsed(firstOf(span.attributes, 'gen_ai.response.finish_reasons', 'llm.finish_reason'));
  const reason: unknown = Array.isArray(stated) ? stated[0] : (stated ?? finish);
  return typeof reason === 'string' ? STOPS.get(reason.toLowerCase()) : undefined;
}

export function hasFailed(span: OtlpSpan): boolean {
  return span.status === 'error' || asText(span.attributes.get('error.type')) !== undefined;
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
  const named = firstOf(attributes, 'gen_ai.tool.name', 'tool.name', 'traceloop.entity.name');
  const result =
    firstOf(attributes, 'gen_ai.tool.call.result', 'traceloop.entity.output') ??
    openInferenceOutput(attributes);
  const text = shown(result) ?? asText(span.statusText);
  const given = firstOf(attributes, 'gen_ai.tool.call.arguments', 'traceloop.entity.input');
  return {
    tool: asText(named) ?? span.name.replace(/^execute_tool\s+/, ''),
    callId: asId(firstOf(attributes, 'gen_ai.tool.call.id', 'tool_call.id', 'tool.id')),
    input: given === undefined ? openInferenceInput(attributes) : parsed(given),
    text,
    ok: hasFailed(span) ? false : span.status === 'ok' || text === undefined ? true : undefined,
  };
}
