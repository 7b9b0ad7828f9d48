import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${program}`, args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

describe('the code', () => {
  it('has no type errors', { timeout: 120_000 }, () => {
    expect(run('tsc', '--noEmit')).toEqual({ status: 0, output: '' });
  });

  it('is formatted and has no lint findings', { timeout: 120_000 }, () => {
    const { status, output } = run('biome', 'ci', '--colors=off');
    expect(status, output).toBe(0);
  });
});
