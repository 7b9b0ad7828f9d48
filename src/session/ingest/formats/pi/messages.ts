/** Messages of the model as pi writes them; OpenClaw writes the same ones. */
import type { CallEvent, ReplyEvent, Usage } from '../../../event.ts';
import { amountOf, type Fields, fieldsOf, known, plainText, stringOf } from './fields.ts';

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

/** `toolCall` is pi's own name; the others come with messages that OpenClaw took over from elsewhere. */
const CALL_BLOCKS: ReadonlySet<unknown> = new Set(['toolCall', 'toolUse', 'tool_use', 'functionCall']);

export function readReply(message: Fields, messageId: string | undefined): ReplyEvent {
  const provider = stringOf(message.provider);
  const usage = readUsage(message.usage);
  return {
    kind: 'reply',
    text: plainText(message.content),
    ...known({
      messageId,
      model: stringOf(message.model),
      provider,
      usage,
      costUsd: readCost(message.usage, usage, provider),
      stop: readStop(message),
    }),
  };
}

export function readCalls(message: Fields, line: number): CallEvent[] {
  if (!Array.isArray(message.content)) return [];
  return message.content.flatMap((item, index): CallEvent[] => {
    const block = fieldsOf(item);
    if (block === undefined || !CALL_BLOCKS.has(block.type)) return [];
    const callId = stringOf(block.id) ?? `line-${line}-block-${index}`;
    const tool = stringOf(block.name) ?? 'unknown';
    return [{ kind: 'call', callId, tool, input: block.arguments ?? block.input }];
  });
}

export function readUsage(value: unknown): Usage | undefined {
  const usage = fieldsOf(value);
  if (usage === undefined) return undefined;
  const input = amountOf(usage.input);
  const output = amountOf(usage.output);
  if (input === undefined && output === undefined) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: amountOf(usage.cacheRead) ?? 0,
    cacheWrite: amountOf(usage.cacheWrite) ?? 0,
  };
}

export function tokensOf(usage: Usage | undefined): number {
  return usage === undefined ? 0 : usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

function readCost(value: unknown, usage: Usage | undefined, provider: string | undefined) {
  const cost = fieldsOf(fieldsOf(value)?.cost);
  if (cost === undefined) return undefined;
  const total = amountOf(cost.total) ?? sumOfParts(cost);
  if (total === undefined || total > 0) return total;
  const free = provider !== undefined && LOCAL_PROVIDERS.has(provider.toLowerCase());
  return free && tokensOf(usage) > 0 ? 0 : undefined;
}

function sumOfParts(cost: Fields): number | undefined {
  const parts = [cost.input, cost.output, cost.cacheRead, cost.cacheWrite].flatMap(
    (part) => amountOf(part) ?? [],
  );
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
}

/** Some proxies say `stop` for every message, so whether tools were called is read from the blocks. */
function readStop(message: Fields): ReplyEvent['stop'] {
  const calls =
    Array.isArray(message.content) && message.content.some((item) => CALL_BLOCKS.has(fieldsOf(item)?.type));
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
      return stringOf(message.errorMessage) === undefined ? undefined : 'error';
  }
}
