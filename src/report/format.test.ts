import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderView } from './format.ts';
import { VERDICT } from './testing/fixture.ts';
import { verdictView } from './verdict-view.ts';

test.each([
  ['table', 'extraction · extractor-b'],
  ['markdown', '## extraction'],
  ['html', '<!doctype html>'],
] as const)('%s can be asked for by name', async (format, start) => {
  const text = await renderView(verdictView(VERDICT), format, { width: 80, colour: false });
  expect(text.startsWith(start)).toBe(true);
  expect(text.endsWith('\n')).toBe(true);
});

test('only HTML loads the plotting library', () => {
  const folder = new URL('.', import.meta.url);
  const importers = (pattern: RegExp) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .filter((name) => pattern.test(readFileSync(new URL(name, folder), 'utf8')))
      .map((name) => name.replace(/^plot\/.*/, 'plot'));
  expect(new Set(importers(/from '@observablehq\/plot'/))).toEqual(new Set(['plot']));
  expect(importers(/from '\.\/plot\//)).toEqual(expect.arrayContaining(['chart-svg.ts']));
  expect(importers(/from '\.\/chart-svg\.ts'/)).toEqual(['html.ts']);
  expect(importers(/from '\.\/html\.ts'/)).toEqual([]);
});
