import { describe, expect, it } from 'vitest';
import { Lexer } from 'yaml';
import { scanWork } from '../../testing/scan-work.ts';
import { parseYaml } from './parse-yaml.ts';

describe('YAML', () => {
  /** How often the lexer begins, and how many parts it gives: the parser begins it a second time. */
  function lexed(work: () => void): { begun: number; parts: number } {
    const { lex } = Lexer.prototype;
    const counted = { begun: 0, parts: 0 };
    Lexer.prototype.lex = function* count(...given) {
      counted.begun += 1;
      for (const part of lex.apply(this, given)) {
        counted.parts += 1;
        yield part;
      }
    };
    try {
      work();
    } finally {
      Lexer.prototype.lex = lex;
    }
    return counted;
  }

  const MANY = 300_000;
  it.each([
    ['brackets', '- [1, 2, 3]\n'.repeat(300_000)],
    ['comments', '# x\n'.repeat(MANY)],
    ['a plain text over many lines', `a: ${'x\n  '.repeat(MANY)}`],
    ['a folded text of blank lines', `a: >\n  x\n${'\n'.repeat(MANY)}  y\n`],
  ])('is left before the parser needs the memory, when it has too many parts: %s', (_, text) => {
    const counted = lexed(() => expect(() => parseYaml(text, 'f.yaml')).toThrow('has too many parts'));
    expect(counted.begun).toBe(1);
    expect(counted.parts).toBeLessThanOrEqual(250_001);
  });

  it.each([
    ['plain', (text: string) => text],
    ['quoted', (text: string) => `"${text}"`],
    ['a block', (text: string) => `|\n  ${text}\n`],
  ])('may hold one long text, which is gone over a few times: %s', (_, written) => {
    const text = 'word '.repeat(700_000).trimEnd();
    const yaml = `a: ${written(text)}`;
    let value: unknown;
    let parts = 0;
    const passed = scanWork(() => {
      ({ parts } = lexed(() => {
        ({ value } = parseYaml(yaml, 'f.yaml'));
      }));
    });
    expect(String((value as { a: string }).a).trimEnd()).toBe(text);
    expect(parts).toBeLessThan(40);
    expect(passed).toBeLessThan(20 * yaml.length);
  });

  it('is refused with aliases, too many bytes, or too deep', () => {
    expect(() => parseYaml('a: &x [1]\nb: [*x, *x]\n', 'f.yaml')).toThrow('is an alias');
    expect(() => parseYaml(`a: ${'x'.repeat(5_000_000)}`, 'f.yaml')).toThrow('bytes');
    expect(() => parseYaml('['.repeat(200), 'f.yaml')).toThrow('nested deeper');
  });

  it('is read when it is as large as people write', () => {
    const text = Array.from({ length: 5000 }, (_, i) => `- {id: E${i}, line: ${i}}`).join('\n');
    expect(parseYaml(text, 'f.yaml').value).toHaveLength(5000);
  });
});
