import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { waitForDrain } from './wait-for-drain.ts';

describe('what was written', () => {
  const full = (): PassThrough => {
    const stream = new PassThrough({ highWaterMark: 4 });
    stream.on('error', () => {});
    stream.write('more than fits');
    expect(stream.writableNeedDrain).toBe(true);
    return stream;
  };

  it('is let go where nobody has to wait: others get their turn', async () => {
    let turns = 0;
    setImmediate(() => {
      turns += 1;
    });
    await waitForDrain(new PassThrough());
    expect(turns).toBe(1);
  });

  it('is waited for until the reader has taken it', async () => {
    const stream = full();
    let taken = false;
    stream.once('data', () => {
      taken = true;
    });
    await waitForDrain(stream);
    expect(taken).toBe(true);
    expect(stream.listenerCount('drain')).toBe(0);
  });

  it.each([undefined, new Error('EPIPE')])('is given up when the reader goes away (%s)', async (error) => {
    const stream = full();
    const waiting = waitForDrain(stream);
    stream.destroy(error);
    await waiting;
  });
});
