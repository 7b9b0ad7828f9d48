import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, MAX_LINE_BYTES } from './split-lines.ts';

function split(chunks: readonly Buffer[]) {
  const lines: [string, number][] = [];
  const tooLong: number[] = [];
  const splitter = new LineSplitter({
    onLine: (bytes, start, end, line) => lines.push([bytes.toString('latin1', start, end), line]),
    onTooLong: (line) => tooLong.push(line),
  });
  for (const chunk of chunks) splitter.push(chunk);
  const { bytes, at, tooLong: restTooLong } = splitter.rest();
  return { lines, tooLong, rest: bytes.toString('latin1'), at, restTooLong };
}

describe('lines', () => {
  it('are the same however the bytes are cut into chunks', () => {
    const text = fc.array(fc.constantFrom('\n', 'a', '{"b":1}', '\r\n', 'é', '\0'), { maxLength: 60 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(20), { maxLength: 20 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''));
        const chunks: Buffer[] = [];
        let from = 0;
        for (const cut of [...cuts, bytes.length]) {
          // A copy each time, as a buffer that is used again would be.
          chunks.push(Buffer.from(bytes.subarray(from, from + cut)));
          from += cut;
        }
        const expected = bytes.toString('latin1').split('\n');
        const { lines, rest, at } = split(chunks);
        expect(lines.map(([line]) => line)).toEqual(expected.slice(0, -1));
        expect(lines.map(([, number]) => number)).toEqual(expected.slice(0, -1).map((_, i) => i + 1));
        expect(rest).toBe(expected.at(-1));
        expect(at).toEqual({ line: expected.length, offset: bytes.length - (expected.at(-1)?.length ?? 0) });
      }),
    );
  });

  it('over the limit are passed over, and the ones after them are not', () => {
    const half = Buffer.alloc(MAX_LINE_BYTES / 2 + 1, 'x');
    const { lines, tooLong } = split([Buffer.from('a\n'), half, half, Buffer.from('x\nb\n')]);
    expect(lines).toEqual([
      ['a', 1],
      ['b', 3],
    ]);
    expect(tooLong).toEqual([2]);
  });

  it('keeps counting bytes over a line that is passed over', () => {
    const half = Buffer.alloc(MAX_LINE_BYTES / 2 + 1, 'x');
    const { at } = split([half, half, Buffer.from('\nrest')]);
    expect(at).toEqual({ offset: 2 * half.length + 1, line: 2 });
  });

  it('says that an unfinished line is too long', () => {
    const half = Buffer.alloc(MAX_LINE_BYTES / 2 + 1, 'x');
    expect(split([half, half])).toMatchObject({ restTooLong: true, at: { offset: 0, line: 1 } });
  });
});
