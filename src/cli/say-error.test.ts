import { expect, it } from 'vitest';
import { AssayError } from '../errors.ts';
import { sayError } from './say-error.ts';

it('words a step as the command that does it, and an option as it is typed', () => {
  const error = new AssayError('BLIND_ORDER', 'bob has not sealed step 3', {
    remedy: [
      { say: 'Wait for them', step: { operation: 'workflow blind status', positionals: ['my blind'] } },
      { say: 'go on without them', options: { without: 'bob,cy d' } },
    ],
  });
  expect(sayError(error, false)).toBe(
    "assay: bob has not sealed step 3 [BLIND_ORDER]\n  Wait for them: assay workflow blind status 'my blind'; or go on without them: --without 'bob,cy d'\n",
  );
  // A program reads the same without the words of a shell.
  expect(error.remedy).toBe('Wait for them; or go on without them.');
});

it('says a remedy without steps as a sentence, and the one of the table where none is given', () => {
  const plain = new AssayError('BLIND_ORDER', 'sealed', { remedy: [{ say: 'What is sealed stays' }] });
  expect(sayError(plain, false)).toContain('\n  What is sealed stays.\n');
  expect(sayError(new AssayError('FILE_EXPECTED', 'x'), false)).toContain('\n  Name a file.\n');
});

it('says no more of a word that is as long as a file than its beginning', () => {
  const text = sayError(new AssayError('INPUT_INVALID', `no tag ${'!'.repeat(2_000_000)}`), true);
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain('…');
});
