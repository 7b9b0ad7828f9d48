/**
 * The session behind the worked examples of the metrics, small enough to score by hand:
 *
 * - Completion: ended normally 1, substantive output 1, corrected once 0.5 → 2.5 / 3 = 0.8333
 * - Execution: 8 of 10 calls succeeded, 7 at the first attempt, one loop recovered, no sub-agents
 *   → 0.5 × 0.8 + 0.25 × 0.7 + 0.15 × 0.5 + 0.1 × 1 = 0.75
 * - Efficiency: one turn 1, one compaction 0.8, tokens and model unknown → 1.8 / 2 = 0.9
 * - Outcome: a file written 1, its state holds 1, accepted in part 0.5 → 0.3 + 0.4 + 0.3 × 0.5 = 0.85
 * - Q for coding: 0.15 × 0.8333 + 0.2 × 0.75 + 0.15 × 0.9 + 0.5 × 0.85 = 0.835
 */

import type { AgentRunFacts, SessionFacts } from './evidence.ts';
import { newRun } from './fold/state.ts';
import type { MeasuredSession } from './measured-session.ts';
import { type ScoredSession, scoreSession } from './score-session.ts';

export const EXAMPLE_FACTS = factsWith(
  [
    runWith({
      tools: { calls: 10, succeeded: 8, failed: 2, firstAttemptSuccesses: 7, failedLines: [12, 14] },
      toolKinds: { read: 4, write: 2, shell: 4 },
      loops: { recovered: 1, persistent: 0, longestRepeat: 2, lines: [14] },
      corrections: 1,
      correctionLines: [20],
      compactions: 1,
      compactionLines: [30],
      artifacts: [{ artifact: 'file', made: 2, failed: 0, lines: [16] }],
      changesAttempted: 2,
      changesFailed: 0,
      stateChange: { value: 1, what: 'the tests pass at the end', line: 38 },
      acceptance: { value: 0.5, what: 'accepted with changes', line: 40 },
    }),
  ],
  { declaredTaskType: 'coding' },
);

const EXAMPLE_SESSION: ScoredSession = scoreSession(EXAMPLE_FACTS);

export const EXAMPLE_CASE: MeasuredSession = { q: EXAMPLE_SESSION.q, ...EXAMPLE_SESSION.categories };

type RunFields = Partial<Omit<AgentRunFacts, 'tools' | 'loops' | 'checks'>> & {
  readonly tools?: Partial<AgentRunFacts['tools']>;
  readonly loops?: Partial<AgentRunFacts['loops']>;
  readonly checks?: Partial<AgentRunFacts['checks']>;
};

/** A user asked once. The agent answered in 600 characters and ended normally, without tools. */
export function runWith({ tools, loops, checks, ...rest }: RunFields = {}): AgentRunFacts {
  const { seen: _seen, live: _live, ...run } = newRun('user', 1);
  return {
    ...run,
    lastLine: 2,
    turns: 1,
    replies: 1,
    requests: 1,
    outputChars: 600,
    finalReply: 'text',
    finalReplyChars: 600,
    finalReplyLine: 2,
    end: 'normal',
    endLine: 2,
    ...rest,
    tools: { ...run.tools, ...tools },
    checks: { ...run.checks, ...checks },
    loops: { ...run.loops, ...loops },
  };
}

export function factsWith(
  runs: readonly AgentRunFacts[],
  rest: Partial<Omit<SessionFacts, 'runs' | 'version'>> = {},
): SessionFacts {
  return {
    version: 1,
    source: 'neutral',
    sessionId: 'example',
    runs,
    abandoned: { entries: 0, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
    ...rest,
  };
}
