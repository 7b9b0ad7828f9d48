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
