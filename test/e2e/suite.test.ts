/** What a run of the tests says at its end, however it ends: tried with runs of small files of their own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

function runSuite(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-suite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'tmp'));
  const test = {
    globals: true,
    isolate: false,
    globalSetup: [resolve('test/run-setup.ts'), ...('more-setup.js' in files ? ['./more-setup.js'] : [])],
    setupFiles: resolve('test/file-setup.ts'),
    reporters: [resolve('test/closing-line.ts')],
  };
  writeFileSync(join(folder, 'vitest.config.js'), `export default ${JSON.stringify({ test })}`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { status, stdout } = spawnSync(resolve('node_modules/.bin/vitest'), ['run', '--root', folder], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: join(folder, 'tmp'), ...env },
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

const PASSING = "it('works', () => {});";
const LEAVE =
  "process.getBuiltinModule('fs').mkdtempSync(process.getBuiltinModule('os').tmpdir() + '/left-')";

it('names what failed and what was skipped before it counts, with the seed that repeats it', () => {
  const { status, lines } = runSuite(
    {
      'a.test.js': "describe('sums', () => it('add up', () => expect(1).toBe(2)));",
      'b.test.js': `${PASSING} it('waits', (context) => context.skip('no browser here'));`,
      'c.test.js': "throw new Error('cannot even start');",
      'd.test.js': `${PASSING} Promise.reject(new Error('nobody waited for this'));`,
      'e.test.js': `it('leaves', () => { ${LEAVE}; });`,
    },
    { ASSAY_SEED: '42' },
  );
  expect(status).toBe(1);
  const end = lines.slice(-7);
  expect(end[0]).toBe('SKIPPED 1 of b.test.js: no browser here');
  expect(end[1]).toBe('Repeat what is random with ASSAY_SEED=42');
  expect(end.slice(2, -1).toSorted()).toEqual([
    'FAILED a.test.js > sums > add up',
    'FAILED c.test.js: cannot even start',
    expect.stringMatching(/^FAILED e\.test\.js: left in the temporary folder: left-/),
    'FAILED outside of any test: nobody waited for this',
  ]);
  expect(end.at(-1)).toBe('3 passed, 4 failed, 1 skipped');
});

it.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    'a worker is killed',
    { 'a.test.js': "it('dies', () => process.kill(process.pid, 'SIGKILL'));" },
    /Worker/,
  ],
  [
    'the runner ends early',
    { 'a.test.js': PASSING, 'more-setup.js': 'process.exit(1)' },
    /did not reach its end/,
  ],
  [
    'something is left after the tests of a file',
    { 'a.test.js': PASSING, 'more-setup.js': `export const teardown = () => { ${LEAVE}; };` },
    /outside of the tests/,
  ],
  ['nothing is tested', { 'a.test.js': "it.skip('later', () => {});" }, /nothing was tested/],
  ['there are no tests', {}, /./],
])('counts a failure when %s', (_, files, why) => {
  const { status, lines } = runSuite(files);
  expect(status).toBe(1);
  expect(lines.at(-1)).toMatch(/^[01] passed, 1 failed, [01] skipped$/);
  expect(lines.at(-2)).toMatch(/^FAILED /);
  expect(lines.at(-2)).toMatch(why);
});

it('passes where all tests of a file are skipped, for which no hook runs', () => {
  const { status, lines } = runSuite({
    'a.test.js': PASSING,
    'b.test.js': "describe.skipIf(true)('data that is not here', () => { it('is read', () => {}); });",
  });
  expect([status, lines.at(-1)]).toEqual([0, '1 passed, 0 failed, 1 skipped']);
});
