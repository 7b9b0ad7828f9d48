import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';

/** Fences that name a file, and what the page says a program prints: the text fence that follows it. */
const PAGE = readFileSync('docs/library.md', 'utf8');
const FENCES = [...PAGE.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```/gm)].map(
  ([, kind = '', name, text = '']) => ({ kind, name, text }),
);
const programs = FENCES.flatMap(({ kind, name, text }, index) =>
  kind === 'ts' && name !== undefined ? [{ name, text, prints: FENCES[index + 1]?.text }] : [],
);

/** A project of a user, with the package as it is built and installed. */
let project = '';

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'assay-library-'));
  const installed = join(project, 'node_modules/assay');
  mkdirSync(installed, { recursive: true });
  const built = run(resolve('node_modules/.bin/tsc'), [
    ...['-p', resolve('tsconfig.build.json'), '--outDir', join(installed, 'dist')],
  ]);
  expect(built).toMatchObject({ status: 0, stdout: '' });
  cpSync('package.json', join(installed, 'package.json'));
  symlinkSync(resolve('node_modules'), join(installed, 'node_modules'));
  symlinkSync(resolve('node_modules/@types'), join(project, 'node_modules/@types'));
  symlinkSync(resolve('examples'), join(project, 'examples'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const { name, text } of FENCES) {
    if (name === undefined) continue;
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(program: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    env: bareEnv(project),
  });
  return { status, stdout, stderr };
}

describe('the programs of docs/library.md', () => {
  it('are one per instrument, and one with ports of its own', () => {
    expect(programs.map(({ name }) => name)).toEqual([
      'score-folder.ts',
      'gate.ts',
      'compare.ts',
      'own-ports.ts',
    ]);
  });

  // In the order of the page: the last one reads what the second one stored.
  it.each(programs)('$name prints what the page says', ({ name, prints }) => {
    expect(run(process.execPath, [name])).toEqual({ status: 0, stdout: prints, stderr: '' });
  });

  it('write the page they promise', () => {
    expect(readFileSync(join(project, 'comparison.html'), 'utf8')).toContain('review-1');
  });

  it('fit the types of the package', () => {
    const compilerOptions = {
      ...{ target: 'es2024', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
      ...{ noEmit: true, skipLibCheck: true, types: ['node'] },
    };
    const files = programs.map(({ name }) => name);
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    expect(run(resolve('node_modules/.bin/tsc'), ['-p', '.'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

/** The modules that Node loads for an import, as paths below the package or names of other packages. */
function loadedBy(entry: string): string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const names = Object.keys(await import(${JSON.stringify(entry)}));
    console.log(JSON.stringify({ loaded, names }));`;
  writeFileSync(join(project, 'load.mjs'), script);
  const { stdout, stderr } = run(process.execPath, ['load.mjs']);
  expect(stderr).toBe('');
  const { loaded, names } = JSON.parse(stdout) as { loaded: string[]; names: string[] };
  exported.set(entry, names);
  return loaded.flatMap((url) => {
    const ours = /node_modules\/assay\/dist\/(.*)$/.exec(url)?.[1];
    if (ours !== undefined) return [ours];
    return /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(url)?.[1] ?? [];
  });
}
const exported = new Map<string, readonly string[]>();

describe('an entry', () => {
  const instruments = ['decomposition', 'workflow', 'session'];
  const heavy = ['@observablehq/plot', '@xmldom/xmldom', 'ai', 'wink-nlp', '@pydantic/genai-prices'];

  it.each(instruments)('assay/%s loads nothing of the other instruments', (instrument) => {
    const loaded = loadedBy(`assay/${instrument}`);
    const others = instruments.filter((one) => one !== instrument);
    expect(loaded.filter((path) => path.startsWith(`${instrument}/`)).length).toBeGreaterThan(20);
    expect(loaded.filter((path) => others.some((other) => path.split('/').includes(other)))).toEqual([]);
    expect(loaded.filter((path) => path.startsWith('cli/'))).toEqual([]);
    expect(heavy.filter((name) => loaded.includes(name))).toEqual([]);
  });

  it('assay/session loads no library that checks files it does not read', () => {
    expect(loadedBy('assay/session').filter((name) => ['zod', 'yaml'].includes(name))).toEqual([]);
  });

  it('assay has all that the others have', () => {
    loadedBy('assay');
    const all = new Set(exported.get('assay'));
    for (const entry of ['assay/schemas', ...instruments.map((one) => `assay/${one}`)]) {
      loadedBy(entry);
      expect(exported.get(entry)?.length).toBeGreaterThan(20);
      expect(exported.get(entry)?.filter((name) => !all.has(name))).toEqual([]);
    }
  });
});
