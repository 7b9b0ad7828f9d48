import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../store/testing/records.ts';
import { defaultPorts, type OpenPorts } from './default-ports.ts';
import { listRuns } from './list-runs.ts';
import { readRun } from './read-run.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-stored-'));
let ports: OpenPorts;
beforeAll(async () => {
  ports = defaultPorts({ store: join(root, 'store.db') });
  const rate = { 'workflow/dr': { measured: true, value: 0.5, n: 4 } } as const;
  const cases = [{ caseId: 'one', metrics: rate }];
  // It has no judgement, as a run that another program wrote.
  await (await ports.store()).appendRuns([run('598de', { instrument: 'workflow', metrics: rate, cases })]);
});
afterAll(async () => {
  await ports.close();
  rmSync(root, { recursive: true });
});

it('a run without a judgement has the titles and units of the catalogue, and no zones', async () => {
  const { verdict } = await readRun({ id: '598de' }, ports);
  const rate = verdict.metrics.find(({ id }) => id === 'workflow/dr');
  expect(rate).toMatchObject({ title: 'Detection rate', unit: 'percent', better: 'higher' });
  expect(rate).not.toHaveProperty('zone');
  expect(verdict.metrics[0]?.id).toBe('workflow/dr');
  expect(verdict.cases[0]?.metrics.find(({ id }) => id === 'workflow/dr')?.unit).toBe('percent');
});

it('looking makes no store where there is none', async () => {
  const address = join(root, 'none/store.db');
  const other = defaultPorts({ store: address });
  try {
    expect(await listRuns(other)).toEqual([]);
    expect((await other.store('looking')).address).toBe(address);
    await expect(readRun({ id: 'x' }, other)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    expect(existsSync(address)).toBe(false);
    await (await other.store()).listRuns();
    expect(existsSync(address)).toBe(true);
  } finally {
    await other.close();
  }
});

it('the list of runs says the same of them', async () => {
  const runs = await listRuns(ports);
  const review = runs.find(({ instrument }) => instrument === 'workflow');
  expect(review?.metrics).toEqual((await readRun({ id: review?.runId ?? '' }, ports)).verdict.metrics);
  for (const { metrics } of runs) expect(metrics.length).toBeGreaterThan(0);
});
