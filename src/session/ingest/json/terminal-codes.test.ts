import { describe, expect, it } from 'vitest';
import { withoutTerminalCodes } from './terminal-codes.ts';

const plain = (text: string) => withoutTerminalCodes(Buffer.from(text)).toString();

describe('codes for a terminal', () => {
  it('are taken out, whatever they do', () => {
    expect(plain('\u001b[1;32m{"a":\u001b[0m1}\u001b[K')).toBe('{"a":1}');
    expect(plain('\u001b]0;a title\u0007{"a":1}')).toBe('{"a":1}');
    expect(plain('\u001bM{"a":1}\u001b')).toBe('{"a":1}');
    expect(plain('\u001b[12')).toBe('');
  });

  it('cost nothing where there are none', () => {
    const bytes = Buffer.from('{"a":1}');
    expect(withoutTerminalCodes(bytes)).toBe(bytes);
  });
});
