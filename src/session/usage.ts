import type { Usage } from './event.ts';
import type { AgentRunFacts, ModelFacts } from './evidence.ts';

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The total usage of several models; undefined when no message has a count. */
export function usageOf(models: readonly ModelFacts[]): Usage | undefined {
  const counted = models.filter((one) => one.messages > one.messagesWithoutUsage && tokensOf(one.usage) > 0);
  return counted.length === 0 ? undefined : counted.map((one) => one.usage).reduce(addUsage, NO_USAGE);
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...cacheWrite1h((a.cacheWriteHour ?? 0) + (b.cacheWriteHour ?? 0)),
  };
}

/** Subtracts `part` from `whole`, which contains it. */
export function subtractUsage(whole: Usage, part: Usage): Usage {
  return {
    input: whole.input - part.input,
    output: whole.output - part.output,
    cacheRead: whole.cacheRead - part.cacheRead,
    cacheWrite: whole.cacheWrite - part.cacheWrite,
    ...cacheWrite1h((whole.cacheWriteHour ?? 0) - (part.cacheWriteHour ?? 0)),
  };
}

/** The field for 1-hour cache writes, only if there are any. */
export function cacheWrite1h(tokens: number): Pick<Usage, 'cacheWriteHour'> {
  return tokens > 0 ? { cacheWriteHour: tokens } : {};
}

export function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}

/**
 * More characters per token than any tokenizer produces: runs of public sources that count all their output have 0.4 to
 * 4.9.
 */
const MOST_CHARS_PER_TOKEN = 8;

type Counted = Pick<AgentRunFacts, 'models'> & Partial<Pick<AgentRunFacts, 'outputChars' | 'callChars'>>;

/** The transcript shows more output than the counts allow, so they cannot be right. */
export function countsTooLittle(run: Counted): boolean {
  const usage = usageOf(run.models);
  if (usage === undefined) return false;
  return usage.output * MOST_CHARS_PER_TOKEN < (run.outputChars ?? 0) + (run.callChars ?? 0);
}
