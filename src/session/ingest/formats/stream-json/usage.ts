/**
 * Tokens of a stream. Claude Code and Amp state the input without what was read from or written to a cache, Qwen Code
 * with it. `modelUsage` of a result is the whole of it, `usage` leaves some of it out where several models were used.
 */
import type { Usage } from '../../../event.ts';
import { cacheWrite1h } from '../../../usage.ts';
import { asCount, asObject, isZero, type JsonObject, usageOf } from '../../json/json-fields.ts';

export function messageUsage(agent: string, value: unknown): Usage | undefined {
  const fields = asObject(value);
  if (fields === undefined) return undefined;
  const read = fields.cache_read_input_tokens ?? fields.cacheReadTokens;
  const write = fields.cache_creation_input_tokens ?? fields.cacheWriteTokens;
  const input = fields.input_tokens ?? fields.inputTokens;
  const output = fields.output_tokens ?? fields.outputTokens;
  const usage =
    agent === 'qwen-code' ? usageOf(input, output, read, write) : apart(input, output, read, write);
  if (usage === undefined || isZero(usage)) return undefined;
  const hour = asCount(asObject(fields.cache_creation)?.ephemeral_1h_input_tokens) ?? 0;
  return { ...usage, ...cacheWrite1h(Math.min(hour, usage.cacheWrite)) };
}

export function modelUsage(fields: JsonObject): Usage | undefined {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = fields;
  return apart(inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens);
}

function apart(input: unknown, output: unknown, read: unknown, write: unknown): Usage | undefined {
  const [given, said] = [asCount(input), asCount(output)];
  if (given === undefined && said === undefined) return undefined;
  return {
    input: given ?? 0,
    output: said ?? 0,
    cacheRead: asCount(read) ?? 0,
    cacheWrite: asCount(write) ?? 0,
  };
}

/** Several runs of one process state what was used since it began. */
export function since(now: Usage, before: Usage | undefined): Usage {
  if (before === undefined || KINDS.some((kind) => now[kind] < before[kind])) return now;
  return {
    input: now.input - before.input,
    output: now.output - before.output,
    cacheRead: now.cacheRead - before.cacheRead,
    cacheWrite: now.cacheWrite - before.cacheWrite,
    ...cacheWrite1h((now.cacheWriteHour ?? 0) - (before.cacheWriteHour ?? 0)),
  };
}

const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
