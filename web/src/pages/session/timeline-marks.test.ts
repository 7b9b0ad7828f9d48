import { expect, it } from 'vitest';
import { placeLabels } from './timeline-marks.ts';

it('names marks where there is room, and equal ones once with their number', () => {
  const wanted = [
    { at: 10, text: 'Tool success' },
    { at: 12, text: 'Recovery' },
    { at: 50, text: 'Tool success' },
    { at: 90, text: 'Ended' },
  ];
  expect(placeLabels(wanted).map(({ at, text }) => `${at} ${text}`)).toEqual([
    '10 Tool success × 2',
    '90 Ended',
  ]);
});
