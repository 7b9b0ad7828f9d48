import { expect, it } from 'vitest';
import { regexWork } from '../../../../testing/regex-work.ts';
import { typedText } from './typed-text.ts';

it('is what stands in the tag of the query, or all where the program adds nothing', () => {
  expect(typedText('<info>1</info>\n<user_query>\n Fix it.\n</user_query>')).toEqual({
    text: 'Fix it.',
    typed: true,
  });
  expect(typedText('Fix it.')).toEqual({ text: 'Fix it.', typed: true });
  expect(typedText('<info>1</info>').typed).toBe(false);
});

it('takes few steps for a query that is not closed', () => {
  for (const unit of [' ', '\n', '<user_query>', '</user_query', 'a', '<'])
    for (const start of ['', '<user_query>']) {
      const text = start + unit.repeat(20_000 / unit.length);
      expect(regexWork(() => void typedText(text)).slow).toEqual([]);
    }
});
