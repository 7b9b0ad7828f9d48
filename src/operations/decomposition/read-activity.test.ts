import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TrialEvidence } from '../../decomposition/evidence.ts';
import type { CaseResult, Json } from '../../store/store.ts';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { readActivity } from './read-activity.ts';

let ports: OpenPorts;
beforeEach(() => {
  ports = defaultPorts();
});
afterEach(() => ports.close());

const NOTHING: TrialEvidence = { concepts: [], expected: [], relationships: [], expectedRelationships: [] };

function output(latencyMs: number, concepts: number, rest: Partial<TrialEvidence> = {}): TrialEvidence {
  return {
    ...NOTHING,
    latencyMs,
    costUsd: 0.01,
    concepts: Array.from({ length: concepts }, (_, index) => ({
      label: `c${index}`,
      confidence: index === 0 ? 1 : 0.5,
      quote: index === 0 ? { state: 'verified', at: [0, 9] } : { state: 'not in the text' },
    })),
    ...rest,
  };
}

const caseOf = (caseId: string, ...trials: TrialEvidence[]): CaseResult => ({
  caseId,
  metrics: {},
  evidence: { caseId, trials } as unknown as Json,
});

async function keep(runId: string, at: string, cases: readonly CaseResult[]): Promise<void> {
  const shared = { instrument: 'decomposition', subject: 's', scorer: '1', verdict: 'passed' as const };
  await (await ports.store()).appendRuns([{ ...shared, runId, at, metrics: {}, cases }]);
}

describe('how extraction went', () => {
  it('is told over every output, by hour and by day, and what no output says is unmeasured', async () => {
    await keep('a', '2026-01-01T10:15:00.000Z', [caseOf('x', output(100, 2), output(300, 4))]);
    await keep('b', '2026-01-01T10:45:00.000Z', [caseOf('x', { ...NOTHING, failed: 'no answer' })]);
    await keep('c', '2026-01-02T00:05:00.000Z', [
      caseOf('x', output(200, 3)),
      { caseId: 'y', metrics: {}, error: 'not JSON' },
    ]);
    const { whole, hours, days, confidences } = await readActivity({ runs: 10 }, ports);
    // 2 + 4 + 3 concepts in three answers; two of five outputs failed. Outputs for one case are one thing to rest on.
    expect(whole).toMatchObject({
      runs: 3,
      outputs: 5,
      errorRate: { value: 0.4, n: 2 },
      concepts: { value: 3, n: 1 },
      latencyP50: { value: 200, n: 3 },
      costUsd: { value: expect.closeTo(0.01, 9), n: 1 },
      verified: { value: 3 / 9, n: 1 },
    });
    expect(whole.totalCostUsd).toMatchObject({ value: expect.closeTo(0.03, 9) });
    expect(hours.map(({ at, runs }) => [at, runs])).toEqual([
      ['2026-01-01T10:00:00.000Z', 2],
      ['2026-01-02T00:00:00.000Z', 1],
    ]);
    expect(days.map(({ at, outputs }) => [at, outputs])).toEqual([
      ['2026-01-01T00:00:00.000Z', 3],
      ['2026-01-02T00:00:00.000Z', 2],
    ]);
    // A confidence of 1 belongs to the last tenth.
    expect(confidences).toEqual([0, 0, 0, 0, 0, 6, 0, 0, 0, 3]);
  });

  it('has an interval as wide as the cases differ, however often each was asked', async () => {
    // Two cases with 10 and 30 concepts: 20 ± 12.706 × 10 of Student's t with one degree of freedom.
    const often = Array.from({ length: 20 }, () => output(100, 10));
    await keep('a', '2026-01-01T10:00:00.000Z', [
      caseOf('x', ...often),
      caseOf('y', ...often.map(() => output(100, 30))),
    ]);
    const { whole } = await readActivity({ runs: 1 }, ports);
    expect(whole.concepts).toMatchObject({
      value: 20,
      n: 2,
      low: expect.closeTo(20 - 127.06, 1),
      high: expect.closeTo(20 + 127.06, 1),
    });
    // None of 40 failed; two cases do not show that none ever will.
    expect(whole.errorRate).toMatchObject({ value: 0, low: 0, high: expect.toSatisfy((high) => high > 0.5) });
    expect(whole.latencyP50).toMatchObject({ value: 100, n: 40, low: 100, high: 100 });
  });

  it('looks at the latest runs only, and says so; a run without evidence is counted apart', async () => {
    await keep('a', '2026-01-01T10:00:00.000Z', [caseOf('x', output(100, 2))]);
    await keep('b', '2026-01-02T10:00:00.000Z', [{ caseId: 'x', metrics: {} }]);
    const latest = await readActivity({ runs: 1 }, ports);
    expect(latest).toMatchObject({ partial: true, withoutEvidence: 1, whole: { outputs: 0 } });
    expect(latest.whole.latencyP95).toEqual({ measured: false, reason: 'no output has a duration' });
    const since = await readActivity({ runs: 5, since: '2026-01-02' }, ports);
    expect(since).toMatchObject({ partial: false, whole: { runs: 0 } });
  });
});
