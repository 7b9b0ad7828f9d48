/** What people install: built, bundled and packed, then used like any other package. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { packedPackage } from '../packed-package.ts';

const { version, exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
};
let scratch = '';
/** Of a user, with the package in it and nothing else. */
let project = '';
let unpacked = '';

beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'assay-package-')));
  project = join(scratch, 'project');
  mkdirSync(project);
  unpacked = packedPackage();
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(unpacked, join(project, 'node_modules/assay'));
  symlinkSync(join(unpacked, 'examples'), join(project, 'examples'));
  writeLongSessions(join(project, 'long'));
}, 900_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Long enough that threads read them, whose code is a bundle of its own. */
function writeLongSessions(folder: string): void {
  cpSync('examples/session/shop', folder, { recursive: true });
  const padding = `${JSON.stringify({ type: 'progress', data: 'x'.repeat(1 << 20) })}\n`.repeat(16);
  for (const name of readdirSync(folder)) appendFileSync(join(folder, name), padding);
}

function run(program: string, args: readonly string[], cwd = project) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: bareEnv(project),
  });
  return { status, stdout, stderr };
}

/** `assay/session` is made of `src/library/session.ts`. */
const sourceOf = (entry: string) =>
  resolve(entry === 'assay' ? 'src/index.ts' : entry.replace('assay', 'src/library').concat('.ts'));

const installed = (...args: readonly string[]) =>
  run(process.execPath, [join(project, 'node_modules/assay/bin/assay.js'), ...args]);
const fromSources = (...args: readonly string[]) => run(process.execPath, [resolve('bin/assay.js'), ...args]);

describe('the package', () => {
  it('brings the dashboard, with the licences of what is inside', () => {
    const web = join(unpacked, 'dist/web');
    expect(readFileSync(join(web, 'index.html'), 'utf8')).toContain('/assets/');
    expect(readFileSync(join(web, 'LICENSES.md'), 'utf8')).toMatch(/^# preact \d/m);
  });

  it('says its version', () => {
    expect(installed('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    { args: [] },
    { args: ['--help'] },
    { args: ['example', '--format', 'csv'] },
    { args: ['example', 'workflow'] },
    { args: ['example', 'sessions'] },
    { args: ['sessions', 'sources'] },
    { args: ['sessions', 'score', 'examples/session/shop', '--format', 'csv'] },
    { args: ['sessions', 'score', 'long', '--format', 'csv'] },
    {
      args: [
        ...['decomposition', 'run', '--golden', 'examples/decomposition/golden'],
        ...['--outputs', 'examples/decomposition/outputs', '--no-history', '--no-store', '--format', 'csv'],
      ],
    },
  ])('answers `assay $args` as its sources do', ({ args }) => {
    const answer = installed(...args);
    expect(answer).toEqual(fromSources(...args));
    expect(answer).toMatchObject({ status: 0, stderr: '' });
    expect(answer.stdout).not.toBe('');
  });

  it('shows on its first screen what the examples print', () => {
    const [first, workflow, sessions] = [[], ['example', 'workflow'], ['example', 'sessions']].map((args) =>
      installed(...args).stdout.replaceAll(/\s+/g, ' '),
    ) as [string, string, string];
    const rate = /finds [\d.]+% of \d+ known errors.{0,40}, 95% interval [\d.]+% to [\d.]+%/.exec(
      workflow,
    )?.[0];
    const mean = /\d+ sessions on [\d-]+: mean Q [\d.]+, \$[\d.]+/.exec(sessions)?.[0];
    expect([rate, mean]).not.toContain(undefined);
    expect(first).toContain(rate);
    expect(first).toContain(mean);
  });

  it('takes a configuration that imports it, in a project as `npm init` makes it', () => {
    expect(existsSync(join(unpacked, 'src'))).toBe(false);
    writeFileSync(join(project, 'package.json'), '{ "type": "commonjs" }');
    // As in docs/configuration.md.
    writeFileSync(
      join(project, 'assay.config.ts'),
      "import { defineConfig } from 'assay';\nexport default defineConfig({ store: 'here.db' });\n",
    );
    const { status, stdout, stderr } = installed('example');
    for (const name of ['package.json', 'assay.config.ts']) rmSync(join(project, name));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('✓ Passed');
    expect(existsSync(join(project, 'here.db'))).toBe(true);
  });

  it('gives its schemas to programs, and to editors by the address that `assay init` writes', () => {
    const script = `import schema from 'assay/schemas/golden-case.json' with { type: 'json' };
      console.log(schema.$id, import.meta.resolve('assay/schemas/configuration.json'))`;
    const imported = run(process.execPath, ['--input-type=module', '-e', script]);
    expect(imported.stdout).toMatch(/^urn:assay:schema:golden-case file:.*configuration\.schema\.json\n$/);
    writeFileSync(
      join(project, 'package.json'),
      '{ "devDependencies": { "assay": "file:vendor/assay.tgz" } }',
    );
    writeFileSync(join(project, 'marsh.txt'), 'Reed slows the water. Slow water drops silt.\n');
    expect(installed('init', '--yes', '--text', 'marsh.txt').status).toBe(0);
    const { $schema } = JSON.parse(readFileSync(join(project, 'golden/marsh.gold.json'), 'utf8'));
    expect(existsSync(join(project, 'golden', $schema))).toBe(true);
    expect($schema).toContain('node_modules/assay/');
    for (const name of ['package.json', 'marsh.txt', 'golden', 'assay.config.yaml', '.gitignore', '.github'])
      rmSync(join(project, name), { recursive: true });
  });

  it('has every entry that programs import', async () => {
    const entries = Object.keys(exports)
      .filter((entry) => !entry.endsWith('.json'))
      .map((entry) => entry.replace(/^\./, 'assay'));
    const script = `for (const one of ${JSON.stringify(entries)})
      console.log(JSON.stringify([one, Object.keys(await import(one))]))`;
    const { status, stdout, stderr } = run(process.execPath, ['--input-type=module', '-e', script]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const given = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [string, string[]]);
    expect(given.map(([entry]) => entry)).toEqual(entries);
    // What the sources of an entry export is what the package brings.
    for (const [entry, names] of given)
      expect(names.toSorted(), entry).toEqual(Object.keys(await import(sourceOf(entry))).toSorted());
  });
});
