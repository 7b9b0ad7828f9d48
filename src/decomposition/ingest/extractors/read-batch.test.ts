import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BatchLine, readBatch } from './run-tasks.ts';

async function read(chunks: Iterable<string | Uint8Array>, max?: number): Promise<BatchLine[]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: BatchLine[] = [];
  for await (const line of readBatch(stream(), max)) lines.push(line);
  return lines;
}

const said = (lines: BatchLine[]) =>
  lines.map((one) => ('error' in one ? [one.line, one.id, one.error.message] : [one.line, one.id, one.text]));

describe('a batch', () => {
  it('is read line by line; a bad line is told in its place and keeps its id', async () => {
    const lines = [
      '\uFEFF{"id": "a", "text": "one", "more": 1}',
      '',
      'nonsense',
      '{"id": "c"}',
      '{"id": "d", "text": "  "}',
      '{"text": "five"}',
      '{"id": {"__proto__": 1}, "text": "six"}',
      '[1]',
      'null',
      '{"id": 7, "text": "last"}',
    ];
    expect(said(await read([lines.join('\r\n')]))).toEqual([
      [1, 'a', 'one'],
      [3, undefined, 'line 3 is not JSON'],
      [4, 'c', expect.stringMatching(/^line 4: text: /)],
      [5, 'd', 'line 5: text: the text is empty'],
      [6, undefined, expect.stringMatching(/^line 6: id: /)],
      [7, undefined, expect.stringMatching(/^line 7: id: /)],
      [8, undefined, expect.stringMatching(/^line 8: the whole document: /)],
      [9, undefined, expect.stringMatching(/^line 9: the whole document: /)],
      [10, 7, 'last'],
    ]);
  });

  it('skips a line over the limit without keeping it, and goes on', async () => {
    const long = `{"id": "a", "text": "${'x'.repeat(200)}"}`;
    expect(
      said(await read([long.slice(0, 90), `${long.slice(90)}\n`, '{"id": "b", "text": "two"}\n'], 100)),
    ).toEqual([
      [1, undefined, 'line 1 is longer than 100 bytes'],
      [2, 'b', 'two'],
    ]);
  });

  it('does not depend on where the chunks end', async () => {
    const record = fc.record({
      id: fc.string({ minLength: 1 }),
      text: fc.string({ minLength: 1, unit: 'grapheme' }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record), fc.integer({ min: 1, max: 20 }), async (records, size) => {
        const bytes = Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join(''));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(said(await read(chunks))).toEqual(said(await read([bytes])));
      }),
    );
  });
});
