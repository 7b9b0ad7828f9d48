import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents } from './read-events.ts';

function bodyOf(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  return new ReadableStream({
    start(controller) {
      for (const [index, from] of places.entries())
        controller.enqueue(bytes.slice(from, places[index + 1] ?? from));
      controller.close();
    },
  });
}

const TEXT =
  ': ping\n\nid: 7\nevent: session.scored\ndata: {"key":"ü€"}\n\nevent: two\r\ndata: one\r\ndata: two\r\n\r\nid: 9\n\nid: 10\ndata: cut off';

describe('events of a stream', () => {
  it('are the same wherever the bytes are cut, even within a letter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(500)), async (cuts) => {
        const read = await Array.fromAsync(readEvents(bodyOf(new TextEncoder().encode(TEXT), cuts)));
        expect(read).toEqual([
          { id: '7', name: 'session.scored', data: { key: 'ü€' } },
          { id: '', name: 'two', data: 'one\ntwo' },
        ]);
      }),
    );
  });
});
