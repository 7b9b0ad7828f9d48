import { expect, it } from 'vitest';
import type { StoreUnderTest, WithStore } from '../contract.ts';
import type { IntakePart } from '../intake.ts';

const part = (key: string, position: number, more: Partial<IntakePart> = {}): IntakePart => ({
  stream: 'events/one',
  key,
  position,
  content: Buffer.from(`${key}\n`),
  ...more,
});

const DAY_MS = 86_400_000;

export function describeIntake(withStore: WithStore, openAgain: StoreUnderTest['openAgain']): void {
  it('gives the parts of a stream by position, with the bytes that were sent', () =>
    withStore(async ({ intake }) => {
      const anyBytes = Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x0a]);
      await intake.append([part('c', 20), part('b', 10, { content: anyBytes }), part('a', 10)]);
      expect(await intake.parts({ stream: 'events/one' })).toEqual([
        { key: 'a', position: 10, length: 2 },
        { key: 'b', position: 10, length: 5 },
        { key: 'c', position: 20, length: 2 },
      ]);
      const contents = await intake.contents({ stream: 'events/one' }, ['b', 'nobody']);
      expect([...contents].map(([key, bytes]) => [key, Buffer.from(bytes)])).toEqual([['b', anyBytes]]);
      expect(await intake.bytes()).toBe(9);
    }));

  it('adds nothing for a key that is there, whoever sends it', () =>
    withStore(async (store) => {
      await store.intake.append([part('a', 0)]);
      const other = await openAgain(store);
      await other.intake.append([part('a', 5, { content: Buffer.from('something else\n') }), part('b', 2)]);
      await other.close();
      const name = { stream: 'events/one' };
      expect((await store.intake.parts(name)).map(({ key, position }) => [key, position])).toEqual([
        ['a', 0],
        ['b', 2],
      ]);
      const contents = await store.intake.contents(name, ['a']);
      expect(Buffer.from(contents.get('a') ?? []).toString()).toBe('a\n');
      expect((await store.intake.streams()).streams).toMatchObject([{ stream: 'events/one', parts: 2 }]);
    }));

  it('keeps streams of two projects apart, and says which got something lately and which have ended', () =>
    withStore(async ({ intake }) => {
      await intake.append([
        part('a', 0),
        part('a', 0, { project: 'shop' }),
        part('b', 2, { project: 'shop' }),
      ]);
      await intake.append([part('end 2', 2, { project: 'shop', content: Buffer.alloc(0) })]);
      const { now, streams } = await intake.streams(60_000);
      expect(streams).toMatchObject([{ parts: 1 }, { project: 'shop', parts: 2 }]);
      expect(streams.map(({ endedAt }) => endedAt !== undefined)).toEqual([false, true]);
      for (const { receivedAt } of streams) expect(Math.abs(now - receivedAt)).toBeLessThan(60_000);
      expect((await intake.streams(-60_000)).streams).toEqual([]);
      expect(await intake.parts({ stream: 'events/one' })).toHaveLength(1);
      await intake.append([part('l', 0, { project: 'shop' })]);
      const shop = (await intake.streams()).streams.find(({ project }) => project === 'shop');
      expect(shop).toMatchObject({ parts: 3 });
      expect(shop?.endedAt).toBeDefined();
      expect(await intake.reach({ project: 'shop', stream: 'events/one' })).toBe(4);
    }));

  it('is pruned by streams to which nothing was added', () =>
    withStore(async (store) => {
      await store.intake.append([part('a', 0), part('b', 0, { stream: 'events/two' })]);
      const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
      expect(await store.upkeep().olderThan('intake', day(1))).toBe(2);
      expect(await store.prune('intake', day(-1))).toBe(0);
      expect(await store.prune('intake', day(1))).toBe(2);
      expect((await store.intake.streams()).streams).toEqual([]);
      expect(await store.intake.bytes()).toBe(0);
      expect(await store.intake.parts({ stream: 'events/one' })).toEqual([]);
    }));
}
