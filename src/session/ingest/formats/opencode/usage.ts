/**
 * Tokens and cost of one step. The input is without what was read from or written to a cache. Reasoning is apart from
 * the output; before April 2026 it was in it, and still listed: the total tells.
 */
import type { Usage } from '../../../event.ts';
import { asCost, asCount, asObject, isZero } from '../../json/json-fields.ts';

/** From this day on reasoning is not in the output. */
const REASONING_APART = Date.UTC(2026, 3, 4);

export function usageOf(tokens: unknown, at: number | undefined): Usage | undefined {
  const fields = asObject(tokens);
  const input = asCount(fields?.input);
  const said = asCount(fields?.output);
  if (fields === undefined || (input === undefined && said === undefined)) return undefined;
  const cache = asObject(fields.cache);
  const counted = {
    input: input ?? 0,
    output: said ?? 0,
    cacheRead: asCount(cache?.read) ?? 0,
    cacheWrite: asCount(cache?.write) ?? 0,
  };
  const reasoning = asCount(fields.reasoning) ?? 0;
  const sum = counted.input + counted.output + counted.cacheRead + counted.cacheWrite;
  const total = asCount(fields.total);
  const isInside = total === undefined ? at !== undefined && at < REASONING_APART : total === sum;
  const usage = isInside ? counted : { ...counted, output: counted.output + reasoning };
  // A message that is not finished has zeros.
  return isZero(usage) ? undefined : usage;
}

export function costOf(cost: unknown, usage: Usage | undefined): number | undefined {
  return typeof cost === 'number' ? asCost(cost, usage) : undefined;
}
