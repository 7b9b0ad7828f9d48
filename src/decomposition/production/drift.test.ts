import { describe, expect, it } from 'vitest';
import { type Random, random } from '../../stats/random.ts';
import { cellOf, mergeCells, type ProductionCell } from './cell.ts';
import { DRIFT_LOOKS, driftOf } from './drift.ts';
import { CONFIDENCE_BINS, type DecompositionRecord } from './record.ts';

const PERIODS = {
  before: { since: '2026-03-01T00:00:00.000Z', until: '2026-03-08T00:00:00.000Z' },
  after: { since: '2026-03-08T00:00:00.000Z', until: '2026-03-09T00:00:00.000Z' },
};

/** Requests of a service; `tilt` makes it less sure and lets it find fewer concepts. */
function requests(count: number, numbers: Random, tilt = 0): ProductionCell {
  const unit = () => numbers.bits() / 2 ** 32;
  const cells = Array.from({ length: count }, (_, i) => {
    const concepts = 15 + numbers.below(12) - Math.round(tilt * 8);
    const sure = 0.7 + 0.25 * unit() - tilt * 0.2;
    const bins = new Array<number>(CONFIDENCE_BINS).fill(0);
    bins[Math.min(CONFIDENCE_BINS - 1, Math.floor(sure * CONFIDENCE_BINS))] = concepts;
    const causes = numbers.below(20);
    const record: DecompositionRecord = {
      id: `${i}`,
      at: PERIODS.after.since,
      status: 'ok',
      concepts,
      relationships: 20,
      confidence: { n: concepts, sum: sure * concepts, bins },
      predicates: { CAUSES: causes, IS_A: 20 - causes },
    };
    return cellOf(record);
  });
  return mergeCells(cells) as ProductionCell;
}

describe('drift', () => {
  it('is seen where a service became less sure and finds less, and named by what moved', () => {
    const numbers = random(1);
    const drift = driftOf(PERIODS, { before: [requests(2000, numbers)], after: [requests(300, numbers, 1)] });
    const verdicts = Object.fromEntries(drift.parts.map(({ what, verdict }) => [what, verdict]));
    expect(verdicts).toEqual({
      confidence: 'moved',
      concepts: 'moved',
      relationships: 'no sign',
      confidences: 'moved',
      predicates: 'no sign',
    });
    expect(drift.parts[0]?.before).toBeGreaterThan(drift.parts[0]?.after ?? 1);
    expect(drift.parts.find(({ what }) => what === 'confidences')?.stability).toBeGreaterThan(0.25);
  });

  it('of predicates is not told by requests that only say how many relationships they have', () => {
    const numbers = random(4);
    const after = { ...requests(300, numbers), predicates: {} };
    const { parts } = driftOf(PERIODS, { before: [requests(2000, numbers)], after: [after] });
    expect(parts.find(({ what }) => what === 'predicates')).toEqual({
      what: 'predicates',
      verdict: 'too few to tell',
    });
    expect(parts.find(({ what }) => what === 'relationships')?.verdict).toBe('no sign');
  });

  it('of predicates is seen within a day of 240 requests where one of them gives way to another', () => {
    const numbers = random(5);
    const shifted = { ...requests(240, numbers), predicates: { CAUSES: 240 * 6, IS_A: 240 * 14 } };
    const { parts } = driftOf(PERIODS, { before: [requests(1680, numbers)], after: [shifted] });
    const part = parts.find(({ what }) => what === 'predicates');
    expect(part?.verdict).toBe('moved');
    expect(part?.most?.before).toBeCloseTo(0.475, 1);
  });

  it('says nothing of a few requests, and nothing of none', () => {
    const numbers = random(2);
    const few = driftOf(PERIODS, { before: [requests(2000, numbers)], after: [requests(20, numbers, 1)] });
    expect(new Set(few.parts.map(({ verdict }) => verdict))).toEqual(new Set(['too few to tell']));
    const none = driftOf(PERIODS, { before: [], after: [] });
    expect(none.parts.every(({ verdict }) => verdict === 'too few to tell')).toBe(true);
    expect(none.before.requests).toBe(0);
  });

  it('is told of a service that never changed in fewer than one week of twenty, whoever looks every hour', () => {
    const numbers = random(3);
    const weeks = 20;
    let alarmed = 0;
    for (let week = 0; week < weeks; week += 1) {
      const before = [requests(400, numbers)];
      // A day is the last 24 hours, so that looks overlap as they do for who looks.
      const hours = Array.from({ length: DRIFT_LOOKS + 23 }, () => requests(8, numbers));
      const looks = Array.from({ length: DRIFT_LOOKS }, (_, i) => hours.slice(i, i + 24));
      const isAlarmed = looks.some((after) =>
        driftOf(PERIODS, { before, after }).parts.some(({ verdict }) => verdict === 'moved'),
      );
      if (isAlarmed) alarmed += 1;
    }
    expect(alarmed).toBeLessThanOrEqual(1);
  });
});
