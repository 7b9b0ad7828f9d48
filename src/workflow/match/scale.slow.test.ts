import { expect, it } from 'vitest';
import { random } from '../../stats/random.ts';
import { runOf, truthOf } from '../testing/build.ts';
import { CATEGORIES } from '../truth.ts';
import { examineRun } from './examine-run.ts';

/** 5,000 findings against 2,000 errors; the time limit of a test is the only clock here. */
function examine(place: (i: number) => { file: string; lines: readonly [number, number] }) {
  const source = random(7);
  const category = () => CATEGORIES[source.below(CATEGORIES.length)] as string;
  const errors = Array.from({ length: 2000 }, (_, i) => ({ category: category(), locations: [place(i)] }));
  const findings = Array.from({ length: 5000 }, (_, i) => ({
    ...place(i % 2500),
    // Half of them name the category of their error.
    ...(i % 2 === 0 &&
      errors[i % 2500] !== undefined && { category: (errors[i % 2500] as { category: string }).category }),
  }));
  return examineRun(truthOf(errors), runOf(findings));
}

it('matches 5,000 findings against 2,000 errors in a hundred files', () => {
  // Every error has two findings on its own lines: one is credited, one repeats it.
  const evidence = examine((i) => ({ file: `src/f${i % 100}.ts`, lines: [1 + 20 * i, 2 + 20 * i] }));
  expect(evidence.errors.every(({ credit }) => credit === 1)).toBe(true);
  expect(evidence.findings.filter((finding) => finding.class === 'MATCHED')).toHaveLength(2000);
  expect(evidence.findings.filter((finding) => finding.class === 'DUPLICATE')).toHaveLength(2000);
});

it('matches them in one file, with errors on every second line', () => {
  const evidence = examine((i) => ({ file: 'a.ts', lines: [1 + 2 * i, 2 + 2 * i] }));
  expect(evidence.errors.every(({ credit }) => credit === 1)).toBe(true);
  expect(evidence.edges.filter(({ chosen }) => chosen)).toHaveLength(2000);
});

it('takes nothing from findings of which every one fits every error', () => {
  const quote = 'the same words stand everywhere';
  const evidence = examineRun(
    truthOf(Array.from({ length: 2000 }, () => ({ quote }))),
    runOf(Array.from({ length: 5000 }, () => ({ quote }))),
  );
  expect(evidence.errors.every(({ credit }) => credit === 0)).toBe(true);
  expect(evidence.edges).toEqual([]);
});

it('keeps only the best pairs where every finding fits every error in part', () => {
  const place = { section: 'Plan', category: 'SCOPE' };
  const evidence = examineRun(
    truthOf(Array.from({ length: 2000 }, () => ({ category: 'SCOPE', locations: [{ section: 'Plan' }] }))),
    runOf(Array.from({ length: 5000 }, (_, i) => ({ ...place, title: `finding ${i}` }))),
  );
  expect(evidence.errors.every(({ credit }) => credit === 0.5)).toBe(true);
  expect(evidence.pairs).toBe(5000 * 2000);
  expect(evidence.edges.length).toBeLessThanOrEqual(5000 * 11);
});
