import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJsonl } from './jsonl.ts';

test('any rows are a line each, and every line is JSON that drives no terminal', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))),
      (rows) => {
        const lines = renderJsonl(rows).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(rows)));
        for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
      },
    ),
  );
});
