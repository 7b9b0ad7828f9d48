import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packFacts, unpackFacts } from './packed-facts.ts';

it('gives back what was packed, and takes less room for what sessions look like', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(unpackFacts(packFacts(json))).toBe(json);
    }),
  );
  const usual = `{"facts":{"version":1,"source":"codex","sessionId":"abc","runs":[{"trigger":"user","firstLine":1,"lastLine":90,"startedAt":1770423238938,"endedAt":1770445566018,"turns":3,"replies":8,"models":[]}]}}`;
  expect(packFacts(usual).length * 2).toBeLessThan(usual.length);
});

it('tells bytes of something else from its own', () => {
  for (const other of [null, '{}', new Uint8Array(), Buffer.from('{"facts":1}'), Buffer.of(1, 255, 255)])
    expect(unpackFacts(other)).toBeUndefined();
});

it('still reads what was packed before', () => {
  // {"facts":{"version":1}} as the first version of this file packed it.
  expect(unpackFacts(Buffer.from(FIRST, 'base64'))).toBe('{"facts":{"version":1}}');
});

const FIRST = 'AcNanNXWAgA=';
