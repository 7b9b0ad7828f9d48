import { describe, expect, it } from 'vitest';
import { LineSeal } from './line-seal.ts';

const [first, second] = ['the first key that all servers have', 'another key which they have later on'];
const line = Buffer.from('{"said":"something that is nobody else\'s business"}\n');

describe('what is sealed', () => {
  const seal = new LineSeal(first, 'KEY');
  const sealed = seal.seal(line, 'a file');

  it('opens with the same key and under the same name alone', () => {
    expect(seal.open(sealed, 'a file')).toEqual(line);
    expect(seal.open(sealed, 'another file')).toBeUndefined();
    expect(new LineSeal(second, 'KEY').open(sealed, 'a file')).toBeUndefined();
  });

  it('says nothing of what was said', () => {
    const bytes = Buffer.from(sealed, 'base64');
    for (const word of ['said', 'something', 'business']) expect(bytes.includes(word)).toBe(false);
    expect(seal.seal(line, 'a file')).not.toBe(sealed);
  });

  it('is not opened when anything of it was changed', () => {
    for (let i = 0; i < Buffer.from(sealed, 'base64').length; i += 1) {
      const bytes = Buffer.from(sealed, 'base64');
      bytes[i] = (bytes[i] as number) ^ 1;
      expect(seal.open(bytes.toString('base64'), 'a file')).toBeUndefined();
    }
    expect(seal.open('', 'a file')).toBeUndefined();
  });

  it('opens while a key is changed on one server after the other', () => {
    const [before, between, after] = [first, `${second}, ${first}`, second].map(
      (keys) => new LineSeal(keys, 'KEY'),
    );
    expect(between?.open(before?.seal(line, 'x') ?? '', 'x')).toEqual(line);
    expect(after?.open(between?.seal(line, 'x') ?? '', 'x')).toEqual(line);
  });

  it('needs a key that nobody guesses', () => {
    expect(() => new LineSeal('short', 'KEY')).toThrow('KEY');
  });
});
