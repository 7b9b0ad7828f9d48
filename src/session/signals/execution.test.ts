import { describe, expect, it } from 'vitest';
import { runWith } from '../example-session.ts';
import { errorRecovery } from './error-recovery.ts';
import { firstAttemptSuccess } from './first-attempt-success.ts';
import { subagentSuccess } from './subagent-success.ts';
import { contextWith, readValue } from './testing/context.ts';
import { toolSuccessRate } from './tool-success-rate.ts';

const context = contextWith();

describe('tool-success-rate', () => {
  it('is succeeded / (succeeded + failed): 6 / 8', () => {
    const run = runWith({
      tools: { calls: 11, succeeded: 6, failed: 2, denied: 1, unknown: 2, failedLines: [3, 5] },
    });
    expect(toolSuccessRate.read(run, context)).toEqual({
      measured: true,
      value: 0.75,
      because: '6 of 8 tool calls succeeded',
      lines: [3, 5],
    });
  });

  it('is unmeasured, not 0 or 1, without calls or without results', () => {
    expect(toolSuccessRate.read(runWith(), context)).toEqual({
      measured: false,
      reason: 'no tool was called',
    });
    const unknown = runWith({ tools: { calls: 3, unknown: 3 } });
    expect(toolSuccessRate.read(unknown, context).measured).toBe(false);
    expect(firstAttemptSuccess.read(unknown, context).measured).toBe(false);
  });
});

describe('first-attempt-success', () => {
  it('leaves out successes that were retries: 5 / 8', () => {
    const run = runWith({ tools: { calls: 8, succeeded: 6, failed: 2, firstAttemptSuccesses: 5 } });
    expect(readValue(firstAttemptSuccess.read(run, context))).toBe(0.625);
    const tools = { calls: 7, succeeded: 3, failed: 4, firstAttemptSuccesses: 3, failedAttempts: 1 };
    expect(readValue(firstAttemptSuccess.read(runWith({ tools }), context))).toBe(0.75);
    const tooMany = runWith({ tools: { calls: 3, succeeded: 3, firstAttemptSuccesses: 9 } });
    expect(readValue(firstAttemptSuccess.read(tooMany, context))).toBe(1);
  });
});

describe('error-recovery', () => {
  it.each([
    [0, 0, 1],
    [2, 0, 0.5],
    [0, 1, 0.2],
    [3, 1, 0.2],
  ])('reads %i recovered and %i persistent loops as %d', (recovered, persistent, value) => {
    const run = runWith({ tools: { calls: 9 }, loops: { recovered, persistent } });
    expect(readValue(errorRecovery.read(run, context))).toBe(value);
  });

  it('is 1 without tool calls: nothing could loop', () => {
    expect(errorRecovery.read(runWith(), context)).toMatchObject({
      value: 1,
      because: 'no tool was called, so nothing was retried',
    });
  });

  it('tells a long row of identical calls without counting it, because polling does the same', () => {
    const run = runWith({ tools: { calls: 9 }, loops: { longestRepeat: 9, lines: [41] } });
    expect(errorRecovery.read(run, context)).toMatchObject({
      value: 1,
      because: 'no error loops; the same call 9 times in a row',
      lines: [41],
    });
  });
});

describe('subagent-success', () => {
  it('is 1 when none was spawned', () => {
    expect(readValue(subagentSuccess.read(runWith(), context))).toBe(1);
  });

  it('counts only those whose fate is known: 2 / 3', () => {
    const run = runWith({ spawned: 5, spawnsCompleted: 2, spawnsFailed: 1 });
    expect(subagentSuccess.read(run, context)).toMatchObject({
      value: 2 / 3,
      because: '2 of 3 sub-agents completed, 2 unknown',
    });
  });

  it('is unmeasured when nothing is known of any', () => {
    expect(subagentSuccess.read(runWith({ spawned: 2 }), context).measured).toBe(false);
  });
});
