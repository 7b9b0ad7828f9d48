import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newBoundedMap, recall, remember } from './bounded-map.ts';

describe('a recent memory', () => {
  it('keeps the latest keys and stays small, however many come', () => {
    const memory = newBoundedMap<number>();
    for (let i = 0; i < 10_000; i++) remember(memory, `key ${i}`, i);
    expect(recall(memory, 'key 9999')).toBe(9999);
    expect(recall(memory, 'key 9000')).toBe(9000);
    expect(recall(memory, 'key 0')).toBeUndefined();
    expect(memory.young.size + memory.old.size).toBeLessThanOrEqual(2048);
  });

  it('knows only what it was told, whatever the key', () => {
    const odd = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', ''), fc.string());
    fc.assert(
      fc.property(odd, odd, (told, asked) => {
        const memory = newBoundedMap<number>();
        remember(memory, told, 1);
        expect(recall(memory, told)).toBe(1);
        expect(recall(memory, asked)).toBe(asked === told ? 1 : undefined);
      }),
    );
  });
});
