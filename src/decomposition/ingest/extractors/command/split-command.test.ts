import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitCommand } from '../command.ts';

describe('a command line', () => {
  it.each([
    ['python my.py', ['python', 'my.py']],
    ['  a   b\tc ', ['a', 'b', 'c']],
    [`prog "two words" 'and three more'`, ['prog', 'two words', 'and three more']],
    [`prog "a'b" 'c"d' e\\ f "g\\"h" 'i\\j'`, ['prog', `a'b`, 'c"d', 'e f', 'g"h', 'i\\j']],
    [`prog "" --x=''`, ['prog', '', '--x=']],
    [
      'prog $HOME *.txt | cat > /tmp/x; rm -rf',
      ['prog', '$HOME', '*.txt', '|', 'cat', '>', '/tmp/x;', 'rm', '-rf'],
    ],
  ])('%s', (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });

  it.each(['', '   ', '""', 'prog "open', "prog 'open"])('%j is refused', (line) => {
    expect(() => splitCommand(line)).toThrow(/command/);
  });

  it('gives back any words that were quoted', () => {
    const word = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const line = words.map((one) => `'${one.replaceAll("'", `'\\''`)}'`).join(' ');
        expect(splitCommand(`prog ${line}`)).toEqual(['prog', ...words]);
      }),
    );
  });
});
