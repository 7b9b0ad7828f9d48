import { DOMParser, type Element } from '@xmldom/xmldom';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Unit } from '../measure/metric.ts';
import { chartSvg } from './chart-svg.ts';
import { anyText } from './testing/fixture-arbitrary.ts';
import { CHARTS, EMPTY_CHARTS } from './testing/fixture-charts.ts';

function parse(svg: string): Element {
  const stop = (level: string, message: string) => {
    if (level !== 'warning') throw new Error(message);
  };
  const root = new DOMParser({ onError: stop }).parseFromString(svg, 'image/svg+xml').documentElement;
  if (root === null) throw new Error('no root element');
  return root;
}

describe.each([820, 340])('at %i pixels', (width) => {
  test.each(CHARTS)(
    'a chart of $kind is an image with a name, exact values on hover and no fixed colour',
    (chart) => {
      const svg = chartSvg(chart, { width });
      const root = parse(svg);
      expect(root.getAttribute('role')).toBe('img');
      expect(root.getAttribute('aria-label')).toBe(chart.title);
      expect(Number(root.getAttribute('width'))).toBeLessThanOrEqual(width);
      expect(root.getElementsByTagName('title').length).toBeGreaterThan(0);
      expect(svg).not.toMatch(/#[0-9a-f]{3,6}\b|NaN|undefined|<style|<script| id="/i);
      for (const colour of svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)) {
        expect(colour[1]).toMatch(/^(var\(--[\w-]+\)|none|currentColor|transparent)$/);
      }
    },
  );

  test.each(EMPTY_CHARTS)('a chart of $kind without values is still well-formed', (chart) => {
    expect(chartSvg(chart, { width })).not.toMatch(/NaN|Infinity/);
  });
});

test('the same chart gives the same bytes, also after others were drawn', () => {
  const first = CHARTS.map((chart) => chartSvg(chart, { width: 820 }));
  const again = CHARTS.map((chart) => chartSvg(chart, { width: 820 }));
  expect(again).toEqual(first);
});

test('any name and any number give a well-formed picture', () => {
  const units: readonly Unit[] = ['ratio', 'percent', 'score', 'count', 'points-per-1k-tokens', 'usd', 'ms'];
  const row = fc.record({ label: anyText, value: fc.oneof(fc.double({ min: -1e6, max: 1e6 }), fc.double()) });
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 4 }),
      fc.constantFrom(...units),
      fc.constantFrom(340, 820),
      (rows, unit, width) => {
        const points = rows.map(({ value }, day) => ({
          at: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
          value,
        }));
        for (const svg of [
          chartSvg({ kind: 'intervals', title: 'any', unit, rows }, { width }),
          chartSvg(
            { kind: 'series', title: 'any', unit, series: [{ label: rows[0]?.label ?? '', points }] },
            { width },
          ),
        ]) {
          parse(svg);
          expect(svg).not.toContain('NaN');
        }
      },
    ),
    { numRuns: 60 },
  );
});
