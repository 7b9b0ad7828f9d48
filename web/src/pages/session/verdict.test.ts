import { describe, expect, it } from 'vitest';
import type { Run, Signal } from './signals.ts';
import { verdictOf } from './verdict.ts';

function runOf(signals: readonly Partial<Signal>[], q: number | null = 0.5): Run {
  const none = { value: null, coverage: 0, weight: 0.25, contribution: 0, signals: [] };
  const full = signals.map((one) => ({ id: 'x', value: 1, lines: [], weight: 0.1, cost: 0, ...one }));
  return {
    q,
    tier: null,
    verified: 'no',
    task_type: 'coding',
    task_type_reason: '',
    special_case: null,
    coverage: 1,
    low_confidence: false,
    categories: { completion: { ...none, signals: full }, execution: none, efficiency: none, outcome: none },
    cost: { cost_usd: null },
    usage: null,
  };
}

const said = (run: Run) => {
  const { before, facts, after } = verdictOf(run);
  return `${before}${facts.map((fact) => `**${fact}**`).join(' and ')}${after}`;
};

describe('the verdict of a session', () => {
  it('says what speaks for it and the two dearest things against it, each once', () => {
    const run = runOf([
      { id: 'ended-normally', value: 1, because: 'it ended normally' },
      { id: 'a', value: 0, cost: 0.2, because: 'it was reverted' },
      { id: 'b', value: 0, cost: 0.1, because: 'it was reverted' },
      { id: 'c', value: 0, cost: 0.05, because: 'it was corrected twice' },
      { id: 'd', value: 0.9, cost: 0.01, because: 'too little to say' },
    ]);
    expect(said(run)).toBe('It ended normally, but **it was reverted** and **it was corrected twice**.');
  });

  it('of one that nothing was seen of is no praise', () => {
    expect(said(runOf([]))).toBe('Nothing was seen against it, and nothing verified it.');
    expect(said(runOf([], null))).toBe('Too little was seen to say how it went.');
  });

  it('of a good one names what it left behind', () => {
    const made = { id: 'artifact-produced', value: 1, because: 'it made 1 × commit' };
    expect(said(runOf([made]))).toBe('**it made 1 × commit**.');
  });
});
