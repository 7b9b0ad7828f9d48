/** What each model of a run used: sound token counts and stated costs. */
import type { Usage } from '../event.ts';
import { MAX_MODELS, type MessageState, type ModelState, NO_USAGE, type RunState } from './state.ts';

const MAX_NAME = 96;

/** Adds what a message used to its model, or takes it away again. */
export function contribute(model: ModelState, message: MessageState, sign: 1 | -1): void {
  const { usage, costUsd } = message;
  model.messages += sign;
  if (usage === null) model.withoutUsage += sign;
  else {
    model.usage.input += sign * usage.input;
    model.usage.output += sign * usage.output;
    model.usage.cacheRead += sign * usage.cacheRead;
    model.usage.cacheWrite += sign * usage.cacheWrite;
  }
  if (costUsd === null) return;
  model.withCost += sign;
  model.costUsd += sign * costUsd;
}

/** The entry of a model in a run; what comes after too many different names is kept together. */
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
    withoutUsage: 0,
    withCost: 0,
    costUsd: 0,
    usage: { ...NO_USAGE },
  };
  models.push(added);
  return added;
}

/** Sound token counts, or null when the message carries none: then they are unknown, not 0. */
export function usageOf(usage: Usage | undefined): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const sound = {
    input: count(usage.input),
    output: count(usage.output),
    cacheRead: count(usage.cacheRead),
    cacheWrite: count(usage.cacheWrite),
  };
  return sound.input + sound.output + sound.cacheRead + sound.cacheWrite > 0 ? sound : null;
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

export function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME) : undefined;
}
