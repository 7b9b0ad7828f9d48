/** One store of the user has the runs of every folder; a command in a folder shows those of its project. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/testing/run-command.ts';

const examples = (name: string) => resolve('examples/decomposition', name);
const RUN = ['decomposition', 'run', '--golden', examples('golden'), '--outputs', examples('outputs')];

function userWithFolders() {
  const home = mkdtempSync(join(tmpdir(), 'assay-one-store-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const name of ['shop/.git', 'shop/deep', 'bank']) mkdirSync(join(home, name), { recursive: true });
  const assay = (folder: string, ...words: string[]) =>
    runCommand(words, { cwd: join(home, folder), env: { HOME: home } });
  const runsSeen = async (folder: string, ...words: string[]) =>
    JSON.parse((await assay(folder, 'runs', '--format', 'json', ...words)).stdout) as {
      run: { id: string };
    }[];
  return { home, assay, runsSeen };
}

it('stores the runs of every folder in one store, and shows those of the project', async () => {
  const { home, assay, runsSeen } = userWithFolders();
  await assay('shop', ...RUN);
  expect((await assay('bank', 'runs')).stdout).toContain('assay runs --all-projects');
  await assay('bank', ...RUN);
  await assay('bank', ...RUN);
  const store = join(home, '.local/share/assay/assay.db');
  expect(existsSync(store)).toBe(true);
  expect(statSync(join(store, '..')).mode & 0o777).toBe(0o700);
  expect(existsSync(join(home, 'shop/.assay'))).toBe(false);
  expect(await runsSeen('shop')).toHaveLength(1);
  expect(await runsSeen('shop/deep')).toEqual(await runsSeen('shop'));
  expect(await runsSeen('bank')).toHaveLength(2);
  expect(await runsSeen('shop', '--all-projects')).toHaveLength(3);
});

it('closes its folder to others, who could write to it before', async () => {
  const { home, assay } = userWithFolders();
  const folder = join(home, '.local/share/assay');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  await assay('shop', ...RUN);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('is readable by its owner alone, also where hooks were installed before it was made', async () => {
  const { home, assay } = userWithFolders();
  await assay('shop', 'hooks', 'install');
  const folder = join(home, '.local/share/assay');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await assay('shop', ...RUN);
  expect(statSync(join(folder, 'assay.db')).mode & 0o777).toBe(0o600);
});

it('lets the configuration name another store, for everything', async () => {
  const { home, assay, runsSeen } = userWithFolders();
  writeFileSync(join(home, 'shop/assay.config.yaml'), 'store: own.db\n');
  await assay('shop/deep', ...RUN);
  expect(existsSync(join(home, 'shop/own.db'))).toBe(true);
  expect(await runsSeen('shop')).toHaveLength(1);
  expect(await runsSeen('bank')).toHaveLength(0);
});

it('shows those of the project however the address of the store of the user is written', async () => {
  const { home, assay, runsSeen } = userWithFolders();
  await assay('shop', ...RUN);
  await assay('bank', ...RUN);
  const store = join(home, '.local/share/assay/assay.db');
  symlinkSync(store, join(home, 'link.db'));
  for (const address of [store, `sqlite:${store}`, `file://${store}`, join(home, 'link.db')])
    expect(await runsSeen('shop', '--store', address), address).toHaveLength(1);
});

it('shows a project that has got a name what it stored before, and no folder elsewhere that ends in that name', async () => {
  const { home, assay, runsSeen } = userWithFolders();
  mkdirSync(join(home, 'other/bank'), { recursive: true });
  await assay('bank', ...RUN);
  await assay('other/bank', ...RUN);
  writeFileSync(join(home, 'bank/assay.config.yaml'), 'project: bank\n');
  const [first] = await runsSeen('bank');
  await assay('bank', ...RUN);
  const seen = await runsSeen('bank');
  expect(seen).toHaveLength(2);
  expect(seen.at(-1)?.run.id).toBe(first?.run.id);
  expect(await runsSeen('other/bank')).toHaveLength(1);
});
