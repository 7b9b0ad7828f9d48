import { expect, it } from 'vitest';
import { ago } from './when.tsx';

const NOW = Date.parse('2026-05-04T12:00:00Z');

it.each([
  ['2026-05-04T11:59:30Z', 'now'],
  ['2026-05-04T11:56:00Z', '4 min'],
  ['2026-05-04T10:00:00Z', '2 h'],
  ['2026-05-01T12:00:00Z', '3 d'],
  ['2026-03-01T12:00:00Z', '2026-03-01'],
  ['2026-05-05T12:00:00Z', 'now'],
  ['nonsense', '–'],
])('%s is said as %s', (iso, said) => {
  expect(ago(iso, NOW)).toBe(said);
});
