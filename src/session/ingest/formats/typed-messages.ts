/** Messages of the model as typed entries hold them. */
import type { CallEvent, ReplyEvent, Usage } from '../../event.ts';
import { asCount, asObject, asText, contentText, defined, type JsonObject } from '../json/json-fields.ts';

/** Models on one's own machine: a stated cost of 0 is a price here, elsewhere it means that no price was known. */
const LOCAL_PROVIDERS: ReadonlySet<string> = new Set([
  'ollama',
  'lmstudio',
  'lm-studio',
  'llamacpp',
  'llama.cpp',
  'llama-cpp',
  'vllm',
  'sglang',
  'mlx',
  'localai',
  'koboldcpp',
  'local',
]);

/** `toolCall` is the usual name; the others come with messages that were taken over from elsewhere. */
const CALL_BLOCKS: ReadonlySet<unknown> = new Set(['toolCall', 'toolUse', 'tool_use', 'functionCall']);

export function readReply(message: JsonObject, messageId: string | undefined): ReplyEvent {
  const provider = asText(message.provider);
  const usage = readUsage(message.usage);
  return {
    kind: 'reply',
    text: contentText(message.content),
    ...defined({
      messageId,
      model: asText(message.model),
      provider,
      usage,
      costUsd: readCost(message.usage, usage, provider),
      stop: readStop(message),
    }),
  };
}

export function readCalls(message: JsonObject, line: number): CallEvent[] {
  if (!Array.isArray(message.content)) return [];
  return message.content.flatMap((item, index): CallEvent[] => {
    const block = asObject(item);
    if (block === undefined || !CALL_BLOCKS.has(block.type)) return [];
    const callId = asText(block.id) ?? `line-${line}-block-${index}`;
    const tool = asText(block.name) ?? 'unknown';
    return [{ kind: 'call', callId, tool, input: block.arguments ?? block.input }];
  });
}

export function readUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const input = asCount(usage.input);
  const output = asCount(usage.output);
  if (input === undefined && output === undefined) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: asCount(usage.cacheRead) ?? 0,
    cacheWrite: asCount(usage.cacheWrite) ?? 0,
  };
}

export function tokensOf(usage: Usage | undefined): number {
  return usage === undefined ? 0 : usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

function readCost(value: unknown, usage: Usage | undefined, provider: string | undefined) {
  const cost = asObject(asObject(value)?.cost);
  if (cost === undefined) return undefined;
  const total = asCount(cost.total) ?? sumOfParts(cost);
  if (total === undefined || total > 0) return total;
  const free = provider !== undefined && LOCAL_PROVIDERS.has(provider.toLowerCase());
  return free && tokensOf(usage) > 0 ? 0 : undefined;
}

function sumOfParts(cost: JsonObject): number | undefined {
  const parts = [cost.input, cost.output, cost.cacheRead, cost.cacheWrite].flatMap(
    (part) => asCount(part) ?? [],
  );
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
}

/** Some proxies say `stop` for every message, so whether tools were called is read from the blocks. */
function readStop(message: JsonObject): ReplyEvent['stop'] {
  const calls =
    Array.isArray(message.content) && message.content.some((item) => CALL_BLOCKS.has(asObject(item)?.type));
  switch (message.stopReason) {
    case 'length':
    case 'error':
    case 'aborted':
    case 'refusal':
      return message.stopReason;
    case 'toolUse':
      return 'tool';
    case 'stop':
      return calls ? 'tool' : 'end';
    default:
      if (calls) return 'tool';
      return asText(message.errorMessage) === undefined ? undefined : 'error';
  }
}
