import { describe, expect, it } from 'vitest';
import { sessionMetrics } from '../catalog.ts';
import { factsWith, runWith } from '../example-session.ts';
import { scoreSession } from '../score-session.ts';

describe('the metrics of sessions', () => {
  it.each(sessionMetrics().map((metric) => [metric.id, metric] as const))(
    '%s computes its worked example and is unmeasured without evidence',
    (_, metric) => {
      const measurement = metric.compute(metric.example.cases);
      if (!measurement.measured) throw new Error(measurement.reason);
      const digits = String(metric.example.value).split('.')[1]?.length ?? 0;
      expect(measurement.value.toFixed(digits)).toBe(metric.example.value.toFixed(digits));
      expect(metric.compute([]).measured).toBe(false);
    },
  );

  it('leaves out a session without an outcome and counts it', () => {
    const [, , , outcome] = sessionMetrics();
    const chat = scoreSession(factsWith([runWith()]));
    const measurement = outcome?.compute([chat, ...(outcome?.example.cases ?? [])]);
    expect(measurement).toMatchObject({
      n: 1,
      skipped: { 'nothing outside the conversation was involved; its weight went to completion': 1 },
    });
  });
});
