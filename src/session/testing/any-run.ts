import fc from 'fast-check';
import type { AgentRunFacts } from '../evidence.ts';
import { runWith } from '../example-session.ts';
import { modelWith } from './model-with.ts';

const count = fc.integer({ min: 0, max: 60 });
const few = fc.integer({ min: 0, max: 5 });

/** A run of any kind, with counts that fit each other. */
export const anyRun: fc.Arbitrary<AgentRunFacts> = fc
  .record({
    trigger: fc.constantFrom('user', 'cron', 'heartbeat', 'subagent', 'unknown'),
    end: fc.constantFrom('normal', 'error', 'handoff', 'open', 'unknown', 'limit'),
    finalReply: fc.constantFrom('text', 'heartbeat-ok', 'no-reply', 'nothing-to-report', 'refusal', 'empty'),
    calls: fc.tuple(count, count, count, count),
    loops: fc.record({ recovered: few, persistent: few }),
    turns: count,
    corrections: few,
    compactions: few,
    outputChars: fc.integer({ min: 0, max: 20_000 }),
    changes: fc.tuple(few, few),
    made: few,
    shell: few,
    tokens: fc.option(fc.tuple(fc.nat(1_000_000), fc.nat(10_000)), { nil: undefined }),
    costUsd: fc.option(
      fc.nat(2_000_000).map((micro) => micro / 1e6),
      { nil: undefined },
    ),
    spawned: few,
    state: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  })
  .map(({ calls, changes, made, shell, tokens, costUsd, state, ...rest }) => {
    const [succeeded, failed, unknown, first] = calls;
    const cost = costUsd === undefined ? {} : { costUsd };
    return runWith({
      ...rest,
      finalReplyChars: Math.min(rest.outputChars, 500),
      spawnsCompleted: Math.min(1, rest.spawned),
      changesAttempted: changes[0] + changes[1],
      changesFailed: changes[1],
      artifacts: [{ artifact: 'file', made, failed: 0, lines: [] }],
      models: tokens === undefined ? [] : [modelWith({ input: tokens[0], output: tokens[1] }, cost)],
      tools: {
        calls: succeeded + failed + unknown,
        succeeded,
        failed,
        unknown,
        firstAttemptSuccesses: Math.min(first, succeeded),
      },
      toolKinds: { shell },
      ...(state !== undefined && { stateChange: { value: state, what: 'x', line: 1 } }),
    });
  });
