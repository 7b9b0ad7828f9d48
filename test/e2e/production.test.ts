/** Watching a service from the command line: what was recorded, and what people say of it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { production, productionSpan } from '../../src/api/schema/production.ts';
import { Sampler } from '../../src/decomposition/production/sample.ts';
import { defaultPorts } from '../../src/operations/default-ports.ts';
import { recordDecompositions } from '../../src/operations/production/record-decompositions.ts';
import { commandFolder } from '../command-folder.ts';

const folder = commandFolder();

/** An hour ago, one a minute, every tenth slow and dear. */
async function record(count: number): Promise<void> {
  const ports = defaultPorts({
    store: join(folder.path, '.local/share/assay/assay.db'),
    folder: folder.path,
  });
  const now = Date.now();
  await recordDecompositions(
    {
      received: Array.from({ length: count }, (_, i) => ({
        record: {
          id: `req-${i}`,
          at: new Date(now - 3_600_000 + i * 60_000).toISOString(),
          status: 'ok' as const,
          latencyMs: i % 10 === 0 ? 6000 : 900,
          costUsd: 0.02,
          promptVersion: i % 2 === 0 ? 'v1' : 'v2',
          topic: 'rivers',
        },
        text: 'Rain feeds the river.',
        output: {
          concepts: [
            { label: 'Rain', sourceQuote: 'Rain feeds the river.', confidence: 0.9 },
            { label: 'Concrete', confidence: 0.8 },
          ],
        },
      })),
      map: {},
      sampler: new Sampler({ rate: 1, seed: 1 }),
      keepText: true,
      environment: {},
    },
    ports,
  );
  await ports.close();
}

it('says what was aimed at and what came of it, and prefers saying nothing to guessing', async () => {
  const none = await folder.assay('production', 'status');
  expect(none.status).toBe(2);
  expect(none.stdout).toContain('No request of a service was recorded in this time.');
  await record(40);
  const { status, stdout, stderr } = await folder.assay('production', 'status');
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/40 requests/);
  expect(stdout).toMatch(/Concepts per topic +2.* 15–30 +▲ missed/);
  expect(stdout).toMatch(/Average confidence +0\.85.* > 0\.75 +✓ met/);
  expect(stdout).toMatch(/Human-rated accuracy.* > 80\.0% +– not measured/);
  expect(stdout).toMatch(/concepts that the text never mentions +50\.0%/);
  expect(stdout).toContain('By prompt version and model');
  const whole = (await folder.assay('production', 'status', '--format', 'json')).stdout;
  expect(production.parse(JSON.parse(whole)).whole.requests).toBe(40);
  const lines = (await folder.assay('production', 'status', '--format', 'jsonl')).stdout.trim().split('\n');
  expect(lines.map((line) => productionSpan.parse(JSON.parse(line)).requests).reduce((a, b) => a + b)).toBe(
    40,
  );
  const v2 = await folder.assay('production', 'status', '--prompt-version', 'v2', '--format', 'csv');
  expect(v2.stdout.split('\n')[0]).toContain('requests');
});

it('takes ratings without a terminal, and rests its estimate on them', async () => {
  await record(5);
  const list = await folder.assay('production', 'rate', '--list');
  expect(list.stdout).toContain('5 of 5 sampled requests have no rating');
  const queue = JSON.parse(
    (await folder.assay('production', 'rate', '--list', '--format', 'json')).stdout,
  ) as {
    items: { decomposition: { id: string }; concepts: { label: string }[] }[];
  };
  expect(queue.items[0]?.concepts.map(({ label }) => label)).toEqual(['Rain', 'Concrete']);
  const [first = '', ...others] = queue.items.map(({ decomposition: { id } }) => id);
  const said = await folder.assay(
    'production',
    'rate',
    first,
    '--unacceptable',
    '--fabricated',
    'Concrete',
    '--reason',
    'no',
  );
  expect([said.status, said.stderr]).toEqual([0, expect.stringContaining('3 ratings')]);
  for (const id of others.slice(0, 3))
    expect((await folder.assay('production', 'rate', id, '--acceptable')).status).toBe(0);
  const { stdout } = await folder.assay('production', 'status');
  expect(stdout).toMatch(/Human-rated accuracy +75\.0%/);
  expect(stdout).toMatch(/concepts that a rater calls made up +12\.5%/);
  expect(stdout).toMatch(/5 requests were sampled and 4 of them rated \(80\.0%/);
  expect((await folder.assay('production', 'rate', '--list')).stdout).toContain('1 of 5 sampled requests');
  const nobody = await folder.assay('production', 'rate', 'nobody', '--acceptable');
  expect([nobody.status, nobody.stderr]).toEqual([3, expect.stringContaining('DECOMPOSITION_NOT_FOUND')]);
});
