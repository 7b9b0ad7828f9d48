import { expect, it } from 'vitest';
import { csvOf } from './download.ts';

it('writes texts that a spreadsheet would run as texts, and unmeasured as an empty field', () => {
  expect(
    csvOf(
      ['name', 'q'],
      [
        { name: '=HYPERLINK("x")', q: -1 },
        { name: 'a, b', q: null },
      ],
    ),
  ).toBe('name,q\r\n"\'=HYPERLINK(""x"")",-1\r\n"a, b",\r\n');
});
