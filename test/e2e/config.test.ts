import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCORER_VERSION } from '../../src/decomposition/scorer.ts';
import type { CommandResult } from '../../src/testing/run-command.ts';
import { bareEnv } from '../bare-env.ts';
import { assayIn, launchIn } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const EXAMPLE = /```ts\n(.*?)```/s.exec(readFileSync('docs/configuration.md', 'utf8'))?.[1] ?? '';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

const assay = (words: string[], env?: NodeJS.ProcessEnv) => assayIn(folder, words, { env });

function expectRefusal(result: CommandResult, code: string, message: RegExp) {
  expect(result.stderr).toMatch(message);
  expect(result.stderr).toContain(`[${code}]`);
  expect(result.stderr.trimEnd().split('\n')).toHaveLength(2);
  expect(result).toMatchObject({ status: 3, stdout: '' });
}

/** Waited for while the other tests go on. */
let unsettled: Promise<CommandResult>;
const waiting = mkdtempSync(join(tmpdir(), 'assay-'));
beforeAll(() => {
  writeFileSync(join(waiting, 'assay.config.ts'), 'await new Promise(() => {}); export default {};');
  unsettled = new Promise((resolve) => {
    const options = { cwd: waiting, encoding: 'utf8', env: bareEnv(waiting) } as const;
    const child = execFile(process.execPath, [LAUNCHER, 'example'], options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode ?? 0, stdout, stderr }),
    );
  });
});
afterAll(() => rmSync(waiting, { recursive: true }));

describe('the example of docs/configuration.md', () => {
  it.each([
    ['without a package.json', undefined],
    ['in a project that says nothing', '{}'],
    ['in a project of CommonJS', '{ "type": "commonjs" }'],
    ['in a project of modules', '{ "type": "module" }'],
  ])('loads without a build and without a warning %s', async (_, packageJson) => {
    if (packageJson !== undefined) write('package.json', packageJson);
    for (const name of ['assay.config.ts', 'assay.config.js']) {
      write(name, EXAMPLE);
      const { status, stdout, stderr } = launchIn(folder, ['config', '--format', 'json']);
      expect(stderr).toBe('');
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        settings: { decomposition: { overall_scale: 'attainable' } },
        origins: { 'decomposition.overall_scale': 'file', store: 'default' },
      });
      rmSync(join(folder, name));
    }
  });

  it('loads through a link', async () => {
    write('package.json', '{ "type": "commonjs" }');
    write('shared.ts', EXAMPLE);
    symlinkSync('shared.ts', join(folder, 'assay.config.ts'));
    expect(launchIn(folder, ['config'])).toMatchObject({ status: 0, stderr: '' });
  });
});

it('takes a configuration that is CommonJS', async () => {
  write('assay.config.js', "module.exports = { store: 'here.db' };");
  expect(await assay(['config'])).toMatchObject({ status: 0, stderr: '' });
});

describe('a configuration that cannot be used', () => {
  it.each([
    ['ends the process', 'process.exit(0); export default {};', /ended the process while it was read/],
    ['has a value that throws', "export default { get store() { throw new Error('boo'); } };", /boo/],
    ['does not parse', 'export default { store: ', /cannot be evaluated/],
  ])('is no green run when it %s', async (_, text, message) => {
    write('assay.config.ts', text);
    expectRefusal(launchIn(folder, ['example']), 'CONFIG_UNREADABLE', message);
  });

  it.each(['assay.config.ts', 'assay.config.json'])(
    'is no default when %s is a link to nowhere',
    async (name) => {
      symlinkSync('nowhere', join(folder, name));
      expectRefusal(
        await assay(['example']),
        'FILE_NOT_FOUND',
        /assay\.config\.\w+ is a link that leads nowhere/,
      );
    },
  );

  it('is not a folder and not nothing', async () => {
    mkdirSync(join(folder, 'place'));
    expectRefusal(await assay(['example', '--config', 'place']), 'FILE_EXPECTED', /place is not a file/);
    expectRefusal(await assay(['example', '--config', '']), 'USAGE', /--config is empty/);
  });

  it('says what the weights sum to', async () => {
    write('assay.config.json', '{ "decomposition": { "weights": { "recall": 0.3 } } }');
    expectRefusal(
      await assay(['example']),
      'CONFIG_INVALID',
      /decomposition\.weights: the five weights must sum to 1; these sum to 1\.05/,
    );
  });
});

describe('assay config', () => {
  const origins = async (words: string[], env = {}) =>
    Object.fromEntries(
      (await assay(['config', ...words], env)).stdout.split('\n').flatMap((line) => {
        const [, key, from] = /^ {2}(\S+) .* (default|file|environment|flag)$/.exec(line) ?? [];
        return key === undefined ? [] : [[key, from]];
      }),
    );

  it('shows where each value comes from', async () => {
    expect(await origins([])).toMatchObject({ store: 'default', 'decomposition.overallScale': 'default' });
    write('assay.config.json', '{ "decomposition": { "overallScale": "attainable" } }');
    expect(await origins([])).toMatchObject({ store: 'default', 'decomposition.overallScale': 'file' });
    write('assay.config.json', '{ "store": "a.db" }');
    expect(await origins([])).toMatchObject({ store: 'file', 'decomposition.overallScale': 'default' });
    expect(await origins([], { ASSAY_STORE: 'b.db' })).toMatchObject({ store: 'environment' });
    expect(await origins(['--store', 'c.db'], { ASSAY_STORE: 'b.db' })).toMatchObject({ store: 'flag' });
  });
});

it('stamps other weights on the result, so that it is not compared with one of the documented ones', async () => {
  const scorer = async () =>
    (JSON.parse((await assay(['example', '--format', 'json'])).stdout) as { run: { scorer: string } }).run
      .scorer;
  expect(await scorer()).toBe(SCORER_VERSION);
  write('assay.config.json', '{ "decomposition": { "weights": { "recall": 0.3, "precision": 0.15 } } }');
  expect(await scorer()).toMatch(/\+weights\.[0-9a-f]{8}$/);
});

it('is no green run when a configuration never settles', async () => {
  expectRefusal(await unsettled, 'CONFIG_UNREADABLE', /not done after 10 s/);
});
