import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeStore } from '../../src/store/testing/change-store.ts';
import { commandFolder } from '../command-folder.ts';

const folder = commandFolder();

type Listed = { items: { what: string; outcome: string; target: string | null; origin: string }[] };

it('writes down what commands delete and which tokens they make, and says whether the log is whole', async () => {
  // Without a store there is nothing to write to, and none is made for that.
  expect((await folder.assay('token', 'create', 'early')).status).toBe(0);
  expect((await folder.assay('audit', 'list')).stdout).toContain('No matching entries');
  expect((await folder.assay('store', 'migrate')).status).toBe(0);
  const [, id = ''] = /revoke (\w+)/.exec((await folder.assay('token', 'create', 'ci')).stderr) ?? [];
  expect((await folder.assay('token', 'revoke', 'ci')).status).toBe(0);
  expect((await folder.assay('store', 'prune')).status).toBe(0);
  expect((await folder.assay('store', 'prune', '--keep-days', 'runs=1', '--yes')).status).toBe(0);
  const listed = await folder.assay('audit', 'list', '--format', 'json');
  const { items } = JSON.parse(listed.stdout) as Listed;
  expect(items.map(({ what, outcome, target }) => [what, outcome, target])).toEqual([
    ['store prune', 'done', 'runs=1'],
    ['token revoke', 'done', id],
    ['token create', 'done', id],
    ['store migrate', 'done', null],
  ]);
  expect(items.every(({ origin }) => origin === 'command line')).toBe(true);
  const verified = await folder.assay('audit', 'verify');
  expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining('4 entries: each fits')]);
  changeStore(
    join(folder.path, '.local/share/assay/assay.db'),
    "UPDATE audit SET who = 'mallory' WHERE what = 'token revoke'",
  );
  const altered = await folder.assay('audit', 'verify');
  expect([altered.status, altered.stdout]).toEqual([1, expect.stringMatching(/it\s+was\s+altered/)]);
  const shown = await folder.assay('audit', 'list');
  expect([shown.status, shown.stdout]).toEqual([0, expect.stringMatching(/mallory[\s\S]*altered/)]);
});
