import { expect, it } from 'vitest';
import { inflateFacts, plainFacts } from './deflated-facts.ts';

it('reads what was packed before', () => {
  expect(inflateFacts(Buffer.from('AcNanNXWAgA=', 'base64'))).toBe('{"facts":{"version":1}}');
  expect(inflateFacts(plainFacts('{"ä":1}'))).toBe('{"ä":1}');
});

it('tells bytes of something else from facts', () => {
  for (const other of [null, '{}', new Uint8Array(), Buffer.from('{"facts":1}'), Buffer.of(1, 255, 255)])
    expect(inflateFacts(other)).toBeUndefined();
});
