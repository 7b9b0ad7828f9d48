import type { AgentRunFacts } from './evidence.ts';
import { usageOf } from './usage.ts';

/**
 * No tokenizer takes this many characters of text into a token: over the runs of public sources that count all their
 * output it is 0.4 to 4.9.
 */
const MOST_CHARS_PER_TOKEN = 8;

type Counted = Pick<AgentRunFacts, 'models'> & Partial<Pick<AgentRunFacts, 'outputChars' | 'callChars'>>;

/** Less output is recorded than is visible in the transcript: the counts cannot be true (R58e). */
export function countsTooLittle(run: Counted): boolean {
  const usage = usageOf(run.models);
  if (usage === undefined) return false;
  return usage.output * MOST_CHARS_PER_TOKEN < (run.outputChars ?? 0) + (run.callChars ?? 0);
}
