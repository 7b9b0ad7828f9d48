import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentRunFacts } from './evidence.ts';
import { EXAMPLE_FACTS, runWith } from './example-session.ts';
import { TASK_TYPES } from './profiles/task-type.ts';
import { scoreRun, withQ } from './score.ts';
import { CATEGORIES, SIGNALS } from './signals/catalog.ts';
import { anyRun } from './testing/any-run.ts';
import { DOCUMENTED_PROFILES, DOCUMENTED_WEIGHTS } from './weights.ts';

const example = EXAMPLE_FACTS.runs[0] as AgentRunFacts;

describe('the profiles', () => {
  it.each(TASK_TYPES)('of %s sum to 1', (type) => {
    const { completion, execution, efficiency, outcome } = DOCUMENTED_PROFILES[type];
    expect(completion + execution + efficiency + outcome).toBeCloseTo(1, 12);
  });
});

describe('scoreRun', () => {
  it('comes out as worked by hand: 0.15 × 0.8333 + 0.2 × 0.75 + 0.15 × 0.9 + 0.5 × 0.85', () => {
    const scored = scoreRun(example, { taskType: 'coding' });
    expect(scored.categories.completion.value).toBeCloseTo(2.5 / 3, 12);
    expect(scored.categories.execution.value).toBeCloseTo(0.75, 12);
    expect(scored.categories.efficiency.value).toBeCloseTo(0.9, 12);
    expect(scored.categories.outcome.value).toBeCloseTo(0.85, 12);
    expect(scored.q).toBeCloseTo(0.835, 12);
    expect(scored.tier).toBe('good');
    // Only two of four efficiency signals were measured: 1 − 0.15 × 0.5
    expect(scored.coverage).toBeCloseTo(0.925, 12);
    expect(scored.lowConfidence).toBe(false);
  });

  it('explains itself: contributions add up to Q, and what signals cost adds up to 1 − Q', () => {
    const scored = scoreRun(example);
    const categories = CATEGORIES.map((category) => scored.categories[category]);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    expect(sum(categories.map((one) => one.contribution))).toBeCloseTo(scored.q ?? 0, 12);
    const lost = categories.flatMap((one) => one.signals.map((signal) => signal.cost));
    expect(sum(lost)).toBeCloseTo(1 - (scored.q ?? 0), 12);
  });

  it('gives the weight of a chat without outcome to Completion: 0.40 + 0.15', () => {
    const scored = scoreRun(runWith({ requestTraits: ['question'] }));
    expect(scored.taskType).toBe('chat');
    expect(scored.categories.completion.weight).toBeCloseTo(0.55, 12);
    expect(scored.categories.outcome).toMatchObject({ weight: 0, contribution: 0 });
    // Execution: two of four signals (0.25 of its weight); Efficiency: two of four (0.5).
    expect(scored.coverage).toBeCloseTo(0.55 + 0.2 * 0.25 + 0.25 * 0.5, 12);
    expect(scored.q).toBe(1);
  });

  it('keeps the weight of an outcome that failed', () => {
    const scored = scoreRun(runWith({ changesAttempted: 1, changesFailed: 1 }), { taskType: 'chat' });
    expect(scored.categories.outcome.value).toBe(0);
    expect(scored.q).toBeCloseTo(0.85, 12);
  });

  it('is low confidence below half coverage', () => {
    // Coding with an unknown end: outcome 0.5 × (0.3 + 0.4) …
    const scored = scoreRun(
      runWith({ end: 'unknown', artifacts: [{ artifact: 'file', made: 1, failed: 0, lines: [] }] }),
      { taskType: 'coding' },
    );
    // 0.15 × 2/3 + 0.2 × 0.25 + 0.15 × 0.5 + 0.5 × 0.3 = 0.1 + 0.05 + 0.075 + 0.15
    expect(scored.coverage).toBeCloseTo(0.375, 12);
    expect(scored.lowConfidence).toBe(true);
  });

  it('uses other weights, and brings them to 1', () => {
    const profile = { completion: 2, execution: 2, efficiency: 0, outcome: 0 };
    const scored = scoreRun(example, {
      taskType: 'coding',
      weights: { name: 'mine', profiles: { ...DOCUMENTED_PROFILES, coding: profile } },
    });
    expect(scored.q).toBeCloseTo((2.5 / 3 + 0.75) / 2, 12);
  });

  it('uses other weights of signals', () => {
    const scored = scoreRun(example, {
      weights: { ...DOCUMENTED_WEIGHTS, signals: { 'tool-success-rate': 0, 'error-recovery': 0 } },
    });
    // 0.25 × 0.7 + 0.1 × 1 over 0.35
    expect(scored.categories.execution.value).toBeCloseTo(0.275 / 0.35, 12);
  });

  it('takes the tier from the unrounded score', () => {
    expect(withQ(0.745).tier).toBe('acceptable');
    expect(withQ(0.75).tier).toBe('good');
    expect(withQ(0.9).tier).toBe('excellent');
    expect(withQ(0.4).tier).toBe('poor');
    expect(withQ(0.399).tier).toBe('failed');
    expect(withQ(0).tier).toBe('failed');
    expect(withQ(undefined)).toEqual({});
  });

  it('lets a special case decide and keeps the categories for diagnosis', () => {
    const scored = scoreRun(
      runWith({ trigger: 'heartbeat', finalReply: 'heartbeat-ok', outputChars: 12, finalReplyChars: 12 }),
    );
    expect(scored).toMatchObject({ q: 0.8, tier: 'good', specialCase: 'heartbeat-ok', coverage: 1 });
    expect(scored.categories.efficiency.value).toBe(1);
  });
});

describe('any run', () => {
  it('has Q, coverage and every category between 0 and 1', () => {
    fc.assert(
      fc.property(anyRun, fc.constantFrom(...TASK_TYPES), (run, taskType) => {
        const scored = scoreRun(run, { taskType });
        for (const value of [
          scored.q,
          scored.coverage,
          ...CATEGORIES.map((one) => scored.categories[one].value),
        ]) {
          if (value === undefined) continue;
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
        expect(scored.q).toBeDefined();
      }),
    );
  });

  it('never executes better after one more failed call', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const { tools } = run;
        const worse = { ...run, tools: { ...tools, calls: tools.calls + 1, failed: tools.failed + 1 } };
        const execution = (one: AgentRunFacts) => scoreRun(one).categories.execution.value ?? Number.NaN;
        expect(execution(worse)).toBeLessThanOrEqual(execution(run) + 1e-12);
      }),
    );
  });

  it('stays within the range of the other signals when one is taken away', () => {
    fc.assert(
      fc.property(anyRun, fc.constantFrom(...SIGNALS), (run, { id }) => {
        const weights = { ...DOCUMENTED_WEIGHTS, signals: { [id]: 0 } };
        const scored = scoreRun(run, { weights });
        if (scored.specialCase !== undefined || scored.q === undefined) return;
        const values = CATEGORIES.flatMap((category) =>
          scored.categories[category].signals.flatMap((signal) =>
            signal.id !== id && signal.reading.measured ? [signal.reading.value] : [],
          ),
        );
        expect(scored.q).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(scored.q).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
      }),
    );
  });
});
