import { describe, expect, it } from 'vitest';
import { Lexer } from 'yaml';
import { parseYaml } from './parse-yaml.ts';

describe('YAML', () => {
  it('is left before the parser needs the memory, when it has too many parts', () => {
    const { lex } = Lexer.prototype;
    let parts = 0;
    Lexer.prototype.lex = function* counted(...given) {
      for (const part of lex.apply(this, given)) {
        parts += 1;
        yield part;
      }
    };
    try {
      expect(() => parseYaml('- [1, 2, 3]\n'.repeat(300_000), 'f.yaml')).toThrow('has too many parts');
    } finally {
      Lexer.prototype.lex = lex;
    }
    expect(parts).toBeLessThanOrEqual(250_001);
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
