import { expect, it } from 'vitest';
import { suggestCategory, unmappedCategories, unmappedNotes } from './suggest-mapping.ts';
import { runOf, truthOf } from './testing/build.ts';
import { CATEGORIES } from './truth.ts';

it('suggests by the name alone', () => {
  const names = [
    'no-eval',
    'security/detect-object-injection',
    'no-await-in-loop',
    'CWE-89',
    'no-unused-vars',
    'max-len',
  ];
  expect(names.map((name) => suggestCategory(name, CATEGORIES))).toEqual([
    'SECURE',
    'SECURE',
    'PERF',
    'SECURE',
    'SKIP',
    undefined,
  ]);
  expect(suggestCategory('Concurrency bug', ['CONCURRENCY', 'OTHER'])).toBe('CONCURRENCY');
});

it('counts what the ground truth does not know, the most frequent first, and says so', () => {
  const run = runOf([
    { category: 'max-len' },
    { category: 'no-eval' },
    { category: 'no-eval' },
    { category: 'scope' },
  ]);
  const unmapped = unmappedCategories(truthOf([]), [run]);
  expect(unmapped).toEqual([
    { workflow: 'v1', category: 'no-eval', findings: 2, suggested: 'SECURE' },
    { workflow: 'v1', category: 'max-len', findings: 1, suggested: undefined },
  ]);
  expect(unmappedNotes(unmapped)).toEqual([
    '3 findings of v1 have categories that the ground truth does not know and count as findings without one: no-eval (2), max-len (1). A mapping to start from: {"category":{"no-eval":"SECURE"}}.',
  ]);
});
