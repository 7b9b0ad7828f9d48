import { describe, expect, it } from 'vitest';
import { runWith } from '../example-session.ts';
import { modelWith } from '../testing/model-with.ts';
import { compactions } from './compactions.ts';
import { modelAppropriateness } from './model-appropriateness.ts';
import { contextWith, readValue } from './testing/context.ts';
import { tokenEfficiency } from './token-efficiency.ts';
import { turnEfficiency } from './turn-efficiency.ts';

const context = contextWith({ baseline: { tokenRatio: 0.01, turns: 4 } });

describe('token-efficiency', () => {
  it('divides output by all input, cached too: 50 / (1000 + 8000 + 1000) = 0.005, half of 0.01', () => {
    const run = runWith({
      models: [modelWith({ input: 1000, output: 50, cacheRead: 8000, cacheWrite: 1000 })],
      outputChars: 200,
    });
    expect(tokenEfficiency.read(run, context)).toMatchObject({
      value: 0.5,
      because: '50 tokens out of 10000 in, a ratio of 0.005 against 0.01 for coding',
    });
  });

  it('is never above 1', () => {
    const run = runWith({ models: [modelWith({ input: 100, output: 400 })] });
    expect(readValue(tokenEfficiency.read(run, context))).toBe(1);
  });

  it('is unmeasured when less output is recorded than is visible', () => {
    const models = [modelWith({ input: 1000, output: 50 })];
    const read = (outputChars: number, callChars: number) =>
      tokenEfficiency.read(runWith({ models, outputChars, callChars }), context).measured;
    expect(read(400, 0)).toBe(true);
    expect(read(300, 101)).toBe(false);
  });

  it('is unmeasured without usage, without input and without a baseline', () => {
    const silent = runWith({ models: [modelWith({}, { messages: 3, messagesWithoutUsage: 3 })] });
    expect(tokenEfficiency.read(silent, context).measured).toBe(false);
    const noInput = runWith({ models: [modelWith({ output: 5 })] });
    expect(tokenEfficiency.read(noInput, context).measured).toBe(false);
    const run = runWith({ models: [modelWith({ input: 100, output: 5 })] });
    expect(tokenEfficiency.read(run, { ...context, baseline: undefined }).measured).toBe(false);
  });
});

describe('turn-efficiency', () => {
  // Baseline 4: 1 up to 4, 0 from 12; at 8 halfway, (12 − 8) / 8.
  it.each([
    [1, 1],
    [4, 1],
    [6, 0.75],
    [8, 0.5],
    [12, 0],
    [40, 0],
  ])('reads %i turns as %d', (turns, value) => {
    expect(readValue(turnEfficiency.read(runWith({ turns }), context))).toBe(value);
  });

  it('is no worse for thanks and approvals', () => {
    const thanked = runWith({ turns: 5, thanks: 1 });
    expect(turnEfficiency.read(thanked, context)).toEqual(
      turnEfficiency.read(runWith({ turns: 4 }), context),
    );
  });

  it('counts them for each request: ten requests are not one slow one', () => {
    expect(readValue(turnEfficiency.read(runWith({ turns: 40, requests: 10 }), context))).toBe(1);
    expect(turnEfficiency.read(runWith({ turns: 40, requests: 5 }), context)).toMatchObject({
      value: 0.5,
      because: '40 turns for 5 requests, 8 each, against 4 for coding',
    });
  });

  it('is unmeasured where no data stands behind a baseline, and says how to fit one', () => {
    expect(turnEfficiency.read(runWith({ turns: 4 }), { ...context, baseline: {} })).toEqual({
      measured: false,
      reason: 'there is no baseline for coding; fit one from 30 runs',
    });
  });

  it('is unmeasured without a turn', () => {
    expect(turnEfficiency.read(runWith({ turns: 0 }), context).measured).toBe(false);
  });
});

describe('compactions', () => {
  it.each([
    [0, 1],
    [1, 0.8],
    [2, 0.5],
    [5, 0.5],
  ])('reads %i compactions as %d', (count, value) => {
    expect(readValue(compactions.read(runWith({ compactions: count }), context))).toBe(value);
  });
});

describe('model-appropriateness', () => {
  const asks = { files: 0, systems: 0, parts: 0, wide: false, narrow: false };
  const simple = runWith({ scope: { ...asks, narrow: true } });
  const moderate = runWith({ scope: { ...asks, files: 2 } });
  const complex = runWith({ scope: { ...asks, files: 9 } });

  it('is unmeasured when the request names too little, whatever was spent', () => {
    const spent = runWith({ scope: asks, tools: { calls: 400 } });
    expect(modelAppropriateness.read(spent, { ...context, modelTier: 'large' }).measured).toBe(false);
  });

  it.each([
    ['simple', simple, 'small', 1],
    ['simple', simple, 'medium', 0.7],
    ['simple', simple, 'large', 0.5],
    ['moderate', moderate, 'large', 0.7],
    ['complex', complex, 'large', 1],
    ['complex', complex, 'small', 1],
  ] as const)('a %s task', (_, run, modelTier, value) => {
    expect(readValue(modelAppropriateness.read(run, { ...context, modelTier }))).toBe(value);
  });

  it('is unmeasured when the model or its price is unknown', () => {
    expect(modelAppropriateness.read(simple, context).measured).toBe(false);
  });
});
