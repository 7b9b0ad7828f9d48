import { expect, it } from 'vitest';
import { RelatedFiles } from './related-files.ts';

it('gives the files that are connected by names, over as many steps as it takes', () => {
  const related = new RelatedFiles();
  related.relate('/a', [1, 2]);
  related.relate('/b', [3]);
  related.relate('/c', [2, 4]);
  related.relate('/d', [4]);
  expect(related.with(['/a'])).toEqual(['/a', '/c', '/d']);
  expect(related.with(['/b', '/unknown'])).toEqual(['/b', '/unknown']);
});

it('remembers more names than it had room for at first, also those with the same low bits', () => {
  const related = new RelatedFiles();
  const names = (from: number) => Array.from({ length: 20_000 }, (_, i) => (from + i) * 2 ** 20);
  related.relate('/a', names(1));
  related.relate('/b', names(20_000));
  related.relate('/c', names(50_000));
  expect(related.with(['/b'])).toEqual(['/a', '/b']);
});
