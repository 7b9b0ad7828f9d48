import { existsSync, globSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyMetric, CATALOG } from '../src/measure/catalog.ts';
import { metricPath } from '../src/measure/metric.ts';

/** The catalogue does not know the evidence of a metric; its own examples are the only cases there are. */
const compute = (metric: AnyMetric, cases: readonly unknown[]) => metric.compute(cases as never[]);

/** Metrics of one instrument may rest on different evidence. */
const kindOf = ({ example: { cases } }: AnyMetric) =>
  Object.keys(cases[0] as object)
    .toSorted()
    .join();

const fileOf = (metric: AnyMetric) => `src/${metricPath(metric).replace('/', '/metrics/')}.ts`;

describe('the catalogue', () => {
  it('lists every metric file once, and nothing else', () => {
    const files = globSync('src/*/metrics/*.ts').filter((path) => !path.endsWith('.test.ts'));
    expect(CATALOG.map((metric) => fileOf(metric)).toSorted()).toEqual(files.toSorted());
  });

  describe.each(CATALOG.map((metric) => [metric.id, metric] as const))('%s', (id, metric) => {
    it('lives in the file it names', () => {
      expect(existsSync(fileOf(metric))).toBe(true);
    });

    it('says what it is in words', () => {
      for (const text of [metric.title, metric.question, metric.formula, metric.example.given]) {
        expect(text.trim()).not.toBe('');
      }
      expect(metric.question).toMatch(/\?$/);
    });

    it('computes its worked example to the digits given', () => {
      const measurement = compute(metric, metric.example.cases);
      if (!measurement.measured) throw new Error(`unmeasured: ${measurement.reason}`);
      const digits = String(metric.example.value).split('.')[1]?.length ?? 0;
      expect(measurement.value.toFixed(digits)).toBe(metric.example.value.toFixed(digits));
    });

    it('is unmeasured without evidence', () => {
      const measurement = compute(metric, []);
      expect(measurement.measured).toBe(false);
      if (!measurement.measured) expect(measurement.reason).not.toBe('');
    });

    it('stays within its range, with the interval around the value', () => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(...metric.example.cases), { minLength: 1, maxLength: 12 }),
          (cases) => {
            const measurement = compute(metric, cases);
            if (!measurement.measured) return;
            const { value, low = value, high = value } = measurement;
            const [least, most] = metric.range;
            expect(value).toBeGreaterThanOrEqual(least - 1e-9);
            expect(value).toBeLessThanOrEqual(most + 1e-9);
            expect(low).toBeLessThanOrEqual(value + 1e-9);
            expect(high).toBeGreaterThanOrEqual(value - 1e-9);
          },
        ),
        { numRuns: 30 },
      );
    });

    it('does not depend on the order of the cases', () => {
      const pool = CATALOG.filter(
        (other) => other.id.split('/')[0] === id.split('/')[0] && kindOf(other) === kindOf(metric),
      ).flatMap((other) => other.example.cases);
      fc.assert(
        fc.property(fc.shuffledSubarray([...pool], { minLength: 1 }), fc.integer(), (cases, at) => {
          const turn = Math.abs(at) % cases.length;
          const turned = [...cases.slice(turn), ...cases.slice(0, turn)];
          expect(compute(metric, turned)).toEqual(compute(metric, cases));
        }),
        { numRuns: 30 },
      );
    });
  });
});
