import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

function run(program: string, ...args: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'assay-quality-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = { ...process.env, HOME: home };
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${program}`, args, {
    encoding: 'utf8',
    env,
  });
  return { status, output: `${stdout}${stderr}` };
}

describe('the code', () => {
  it('has no type errors', { timeout: 120_000 }, () => {
    expect(run('tsc', '--noEmit')).toEqual({ status: 0, output: '' });
    expect(run('tsc', '--noEmit', '-p', 'web')).toEqual({ status: 0, output: '' });
  });

  it('is formatted and has no lint findings', { timeout: 120_000 }, () => {
    const { status, output } = run('biome', 'ci', '--colors=off');
    expect(status, output).toBe(0);
  });
});

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
