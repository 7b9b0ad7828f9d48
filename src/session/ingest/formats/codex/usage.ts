/**
 * Tokens of a Codex rollout. `token_count` events have the usage of the last response and a running total, and may be
 * repeated without a change (after a rate-limit update, on resuming). A count is new when the total moved; its amount
 * is the step of the total, which includes responses whose own count was not written. The first total of a fork
 * contains what its origin used, so there the usage of the last response counts, as it does where the total moved by
 * less. A total that fell was restarted.
 *
 *  Cached input is part of the input, reasoning is part of the output.
 */
import { asCount, asObject } from '../../json/json-fields.ts';
import { unlessZero } from '../chat.ts';
import type { CodexLine, CodexState } from './adapter.ts';

/** Token counts as Codex writes them: input with the cached part, output with the reasoning. */
export type Totals = {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
};

export function readTokenCount(line: CodexLine): void {
  const next = nextUsage(line.state, line.record.info);
  if (next !== undefined) sendUsage(line, next.usage, next.isStep);
}

/** While history is replayed only the total moves on. */
export function skipTokenCount(state: CodexState, info: unknown): void {
  nextUsage(state, info);
}

/** Older rollouts and `codex exec` state the usage of a turn at its end. */
export function readTurnUsage(line: CodexLine): void {
  const usage = totalsOf(line.record.usage);
  if (usage !== undefined) sendUsage(line, usage, true);
}

/** `isStep`: what a total moved by, which may hold several responses. */
function nextUsage(state: CodexState, info: unknown): { usage: Totals; isStep: boolean } | undefined {
  const fields = asObject(info);
  const total = totalsOf(fields?.total_token_usage);
  // The first versions wrote the usage of a response as its prompt and its completion.
  const last =
    totalsOf(fields?.last_token_usage) ??
    totalsOf({ input_tokens: fields?.prompt, output_tokens: fields?.completion });
  const before = state.totals;
  if (total === undefined) return last && { usage: last, isStep: false };
  state.totals = total;
  if (before !== undefined && isSame(before, total)) return undefined;
  const step = stepFrom(before, total);
  if (last === undefined) return { usage: step, isStep: true };
  const isInherited = before === undefined && state.isFork;
  const isStep = !isInherited && step.input + step.output > last.input + last.output;
  return { usage: isStep ? step : last, isStep };
}

function totalsOf(value: unknown): Totals | undefined {
  const usage = asObject(value);
  const input = asCount(usage?.input_tokens);
  const output = asCount(usage?.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  return {
    input: input ?? 0,
    cached: asCount(usage?.cached_input_tokens) ?? 0,
    written: asCount(usage?.cache_write_input_tokens) ?? 0,
    output: output ?? 0,
  };
}

function isSame(a: Totals, b: Totals): boolean {
  return a.input === b.input && a.cached === b.cached && a.written === b.written && a.output === b.output;
}

function stepFrom(before: Totals | undefined, total: Totals): Totals {
  if (before === undefined || total.input < before.input || total.output < before.output) return total;
  return {
    input: total.input - before.input,
    cached: Math.max(0, total.cached - before.cached),
    written: Math.max(0, total.written - before.written),
    output: total.output - before.output,
  };
}

/** Closes the response: messages and calls since the last count belong to it. */
function sendUsage({ state, send }: CodexLine, totals: Totals, isStep: boolean): void {
  const cacheRead = Math.min(totals.cached, totals.input);
  const cacheWrite = Math.min(totals.written, totals.input - cacheRead);
  const input = totals.input - cacheRead - cacheWrite;
  const usage = unlessZero({ input, output: totals.output, cacheRead, cacheWrite });
  if (usage === undefined) return;
  send({
    kind: 'reply',
    text: '',
    messageId: responseId(state),
    usage,
    usageOfSeveral: isStep ? true : undefined,
    model: state.model,
    provider: state.provider,
  });
  state.responses += 1;
}

/** Responses have no id of their own in most versions; their place in the session is one. */
export function responseId(state: CodexState): string {
  return `${state.session ?? ''}#${state.responses}`;
}
