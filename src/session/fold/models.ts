/** What each model of a run used: valid token counts and stated costs. */
import type { Usage } from '../event.ts';
import {
  MAX_MODELS,
  type MessageState,
  type ModelState,
  type Mutable,
  NO_USAGE,
  type RunState,
} from './state.ts';

const MAX_NAME = 96;

/** Adds the usage of a message to its model, or subtracts it again. */
export function contribute(model: ModelState, message: MessageState, sign: 1 | -1): void {
  const { usage, several, costUsd } = message;
  count(model, usage, sign);
  if (costUsd !== null) {
    model.costUsd += sign * costUsd;
    return;
  }
  count(model.unpriced, usage, sign);
  if (usage !== null && usage !== 'elsewhere' && several === undefined) countLong(model, usage, sign);
}

/** Input sizes from which requests cost more, as price lists have them. */
const LENGTHS = [512_000, 272_000, 200_000, 128_000] as const;

function countLong(model: ModelState, usage: Usage, sign: 1 | -1): void {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  const over = LENGTHS.find((length) => input > length);
  if (over === undefined) return;
  model.long ??= [];
  let long = model.long.find((one) => one.over === over);
  if (long === undefined) {
    long = { over, messages: 0, usage: { ...NO_USAGE } };
    model.long.push(long);
  }
  long.messages += sign;
  addTo(long.usage, usage, sign);
}

type Counts = Pick<ModelState, 'messages' | 'messagesWithoutUsage' | 'usage'>;

function count(counts: Counts, usage: MessageState['usage'], sign: 1 | -1): void {
  counts.messages += sign;
  if (usage === null) counts.messagesWithoutUsage += sign;
  else if (usage !== 'elsewhere') addTo(counts.usage, usage, sign);
}

function addTo(total: Mutable<Usage>, usage: Usage, sign: 1 | -1 = 1): void {
  total.input += sign * usage.input;
  total.output += sign * usage.output;
  total.cacheRead += sign * usage.cacheRead;
  total.cacheWrite += sign * usage.cacheWrite;
  if (usage.cacheWriteHour === undefined) return;
  const hour = (total.cacheWriteHour ?? 0) + sign * usage.cacheWriteHour;
  if (hour > 0) total.cacheWriteHour = hour;
  else delete total.cacheWriteHour;
}

/**
 * A cost stated by the source, or null. Most runtimes write 0 when they know no price, so 0 counts only when the source
 * says that it was free.
 */
export function statedCost({
  costUsd,
  free,
}: {
  readonly costUsd?: number;
  readonly free?: boolean;
}): number | null {
  // No session costs more, and sums of many stay finite.
  if (typeof costUsd !== 'number' || !(costUsd <= Number.MAX_SAFE_INTEGER)) return null;
  return costUsd > 0 || (costUsd === 0 && free === true) ? costUsd : null;
}

/** The entry of a model in a run. After too many different names, the rest share one entry. */
export function modelOf(run: RunState, model: string, provider: string | undefined): ModelState {
  const { models } = run;
  const name = models.length < MAX_MODELS || models.some((one) => one.model === model) ? model : 'others';
  for (const one of models) {
    if (one.model !== name) continue;
    if (provider !== undefined) one.provider ??= provider;
    return one;
  }
  const added: ModelState = {
    model: name,
    ...(provider === undefined ? {} : { provider }),
    messages: 0,
    messagesWithoutUsage: 0,
    usage: { ...NO_USAGE },
    costUsd: 0,
    unpriced: { messages: 0, messagesWithoutUsage: 0, usage: { ...NO_USAGE } },
  };
  models.push(added);
  return added;
}

/** Valid token counts, or null when the message has none: then they are unknown, not 0. */
export function usageOf(usage: Usage | undefined): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const input = tokens(usage.input);
  const output = tokens(usage.output);
  const cacheRead = tokens(usage.cacheRead);
  const cacheWrite = tokens(usage.cacheWrite);
  if (input + output + cacheRead + cacheWrite === 0) return null;
  const cacheWriteHour = Math.min(tokens(usage.cacheWriteHour), cacheWrite);
  // Two literals rather than a spread: there is one per message, and equal object shapes are faster.
  return cacheWriteHour > 0
    ? { input, output, cacheRead, cacheWrite, cacheWriteHour }
    : { input, output, cacheRead, cacheWrite };
}

function tokens(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

export function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME) : undefined;
}
