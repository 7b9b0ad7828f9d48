/** A folder that somebody else made: setting up a project in it touches nothing outside of it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../ports.ts';
import { initProject } from './init-project.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-init-'));
  folder = join(root, 'project');
  mkdirSync(folder);
  mkdirSync(join(root, 'outside'));
  writeFileSync(join(root, 'profile'), 'export SAFE=1\n');
});
afterEach(() => rmSync(root, { recursive: true }));

const ci = { path: '.github/workflows/assay.yml', text: 'on: push\n' };
const init = () =>
  initProject({ folder, measured: 'sessions', config: 'export default {};\n', ci }, {} as Ports);

it.each([
  ['.gitignore', 'profile'],
  ['.gitignore', 'outside/new'],
  ['.github', 'outside'],
  ['golden', 'outside'],
  ['assay-schemas', 'outside'],
  ['assay.config.yaml', 'outside/assay.config.yaml'],
])('writes nothing where %s is a link to %s', async (name, target) => {
  symlinkSync(join(root, target), join(folder, name));
  await expect(init()).rejects.toMatchObject({ code: 'OUTPUT_FAILED' });
  expect(readdirSync(folder)).toEqual([name]);
  expect(readdirSync(join(root, 'outside'))).toEqual([]);
  expect(readFileSync(join(root, 'profile'), 'utf8')).toBe('export SAFE=1\n');
});

it('writes through a link that stays in the folder', async () => {
  mkdirSync(join(folder, 'ci'));
  symlinkSync('ci', join(folder, '.github'));
  await init();
  expect(existsSync(join(folder, 'ci/workflows/assay.yml'))).toBe(true);
});

it('adds a line to a .gitignore and leaves every byte of it, whatever they mean', async () => {
  const before = Buffer.from([0x66, 0xe9, 0xff, 0x0d, 0x0a, 0x2a, 0x2e, 0x6f]);
  writeFileSync(join(folder, '.gitignore'), before);
  await init();
  const after = readFileSync(join(folder, '.gitignore'));
  expect(after.subarray(0, before.length)).toEqual(before);
  expect(after.subarray(before.length).toString()).toBe('\n.assay/\n');
  await init();
  expect(readFileSync(join(folder, '.gitignore'))).toEqual(after);
});
