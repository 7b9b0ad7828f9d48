/** The editor of golden cases in a real browser: by keyboard, by drag, with near misses of a real run, saved to the file. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BUILT_WEB, buildWeb } from '../../src/server/build-web.ts';
import { type Launched, launchBrowser } from '../browser.ts';
import { type DashboardProject, openDashboardProject } from '../dashboard-project.ts';
import { lookAt, openPage, show } from '../page-checks.ts';

const ID = 'mycorrhizal-networks';
let project: DashboardProject;
let launched: Launched = { browser: undefined, reason: 'not started' };
let served: { readonly url: string; readonly stop: () => Promise<void> };

beforeAll(async () => {
  launched = await launchBrowser();
  await buildWeb(() => {});
  project = openDashboardProject();
  cpSync('golden', join(project.folder, 'golden'), { recursive: true });
  await project.assay('decomposition', 'run');
  served = await project.serve(BUILT_WEB);
});

beforeEach((context) => {
  if (launched.browser === undefined) context.skip(launched.reason);
});

afterAll(async () => {
  await launched.browser?.close();
  await served.stop();
  project.close();
});

const stored = () => JSON.parse(readFileSync(join(project.folder, `golden/${ID}.gold.json`), 'utf8'));

it('corrects a case and saves it as the next version', async () => {
  const before = stored();
  if (launched.browser === undefined) throw new Error(launched.reason);
  const { origin } = new URL(served.url);
  const { page, complaints } = await openPage(launched.browser, origin);
  await show(page, `${origin}/decomposition/golden/${ID}`);
  if (process.env.ASSAY_SHOT) await page.screenshot({ path: process.env.ASSAY_SHOT });
  // By keyboard: Enter on one concept and then on another relates them.
  await page.getByRole('button', { name: 'mycelium', exact: true }).first().press('Enter');
  await page.getByRole('button', { name: 'soil aggregates', exact: true }).first().press('Enter');
  await page.getByLabel('What mycelium has to do with soil aggregates').selectOption('CAUSES');
  // By drag.
  const source = page.locator('button.named', { hasText: 'photosynthesis' }).first();
  await source.dragTo(page.locator('button.named', { hasText: 'fungus' }).first());
  // A near miss of the run becomes an alias.
  const near = page.getByRole('button', { name: 'alias', exact: true }).first();
  await near.click();
  await page.getByLabel('New concept').fill('mantle cells');
  await page.getByRole('button', { name: 'add', exact: true }).click();
  await page.getByRole('button', { name: 'Reject mantle cells' }).click();
  await page.getByRole('button', { name: 'Save as next version' }).click();
  await page
    .getByText('Saved as version')
    .or(page.getByText(/version 1\.4/))
    .first()
    .waitFor();
  const after = stored();
  expect(after.version).not.toBe(before.version);
  expect(after.expectedRelationships).toContainEqual({
    source: 'mycelium',
    target: 'soil aggregates',
    predicate: 'CAUSES',
    required: true,
  });
  expect(after.expectedRelationships).toHaveLength(before.expectedRelationships.length + 2);
  const aliases = (one: typeof before) =>
    one.expectedConcepts.flatMap((concept: { aliases: string[] }) => concept.aliases);
  expect(aliases(after)).toHaveLength(aliases(before).length + 1);
  expect(after.expectedConcepts).toHaveLength(before.expectedConcepts.length);
  expect(complaints).toEqual([]);
  expect(await lookAt(page, 'golden-editor')).toEqual([]);
});
