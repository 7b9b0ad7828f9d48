/** Facts with the given fields and nothing else of note, for worked examples and tests. */
import type { AgentRunFacts, SessionFacts } from './evidence.ts';

type RunFields = Partial<Omit<AgentRunFacts, 'tools' | 'loops' | 'checks'>> & {
  readonly tools?: Partial<AgentRunFacts['tools']>;
  readonly loops?: Partial<AgentRunFacts['loops']>;
  readonly checks?: Partial<AgentRunFacts['checks']>;
};

/** A person asked once, the agent answered in 600 characters and ended normally, without tools. */
export function runWith({ tools, loops, checks, ...rest }: RunFields = {}): AgentRunFacts {
  return {
    trigger: 'user',
    firstLine: 1,
    lastLine: 2,
    turns: 1,
    replies: 1,
    models: [],
    tools: {
      calls: 0,
      succeeded: 0,
      failed: 0,
      denied: 0,
      unknown: 0,
      firstAttemptSuccesses: 0,
      failedLines: [],
      ...tools,
    },
    toolKinds: {},
    checks: { passed: 0, failed: 0, impossible: 0, ...checks },
    loops: { recovered: 0, persistent: 0, longestRepeat: 0, lines: [], ...loops },
    spawned: 0,
    spawnsCompleted: 0,
    spawnsFailed: 0,
    compactions: 0,
    compactionLines: [],
    corrections: 0,
    correctionLines: [],
    interrupts: 0,
    requests: 1,
    thanks: 0,
    outputChars: 600,
    callChars: 0,
    fillerChars: 0,
    repliesWithoutText: 0,
    idleChanges: 0,
    finalReply: 'text',
    finalReplyChars: 600,
    finalReplyLine: 2,
    requestTraits: [],
    artifacts: [],
    changesAttempted: 0,
    changesFailed: 0,
    end: 'normal',
    endLine: 2,
    ...rest,
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
