import type { AgentRunFacts } from './evidence.ts';

export const NO_TEXT = 'the source records no text';

/**
 * False when the agent replied and not a word of it was recorded: the source says that its text is left out, or tokens
 * came out of the model that neither words nor calls show. Then what it said is unknown, not nothing.
 */
export function isTextRecorded(run: AgentRunFacts): boolean {
  if (run.replies === 0 || run.outputChars > 0 || run.finalReply !== 'empty') return true;
  if (run.repliesWithoutText > 0) return false;
  return run.tools.calls > 0 || run.models.every((one) => one.usage.output === 0);
}
