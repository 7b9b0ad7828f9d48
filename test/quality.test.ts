import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('the tests', () => {
  const files = globSync(['src/**/*.test.ts', 'src/**/testing/**/*.ts', 'test/**/*.ts']).filter(
    (path) => path !== 'test/quality.test.ts',
  );
  const linesWith = (pattern: RegExp) =>
    files.flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );

  it('never assert on time: a busy machine is no fault of the product', () => {
    expect(files.length).toBeGreaterThan(200);
    expect(linesWith(/performance\.now\(|hrtime[.(]|Date\.now\(\) -/)).toEqual([]);
  });

  it('draw all chance from the seed that a failing run prints', () => {
    expect(linesWith(/Math\.random\(|randomBytes\(|getRandomValues\(/)).toEqual([]);
  });
});
