import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-experiments-'));
  mkdirSync(join(folder, 'prompts'));
  for (const version of ['v1.0', 'v1.1'])
    writeFileSync(join(folder, `prompts/extract-${version}.md`), `Words of ${version}.`);
});
afterEach(() => rmSync(folder, { recursive: true }));

function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

type Arm = { prompt_version: string; experiment: { id: string; arm: string; key_hash: string } };

it('starts an experiment, tells each key its prompt, takes its records, and is stopped with a reason', async () => {
  const { ask } = await startTestServer({ withSessions: false, folder });
  const plan = {
    candidate: 'extract-v1.1',
    control: 'extract-v1.0',
    id: 'shorter',
    guards: { latency_ms: 200 },
  };
  const started = await ask('/api/v1/experiments', post(plan));
  expect([started.status, await started.json()]).toMatchObject([
    201,
    { plan: { id: 'shorter', share: 0.5, guards: { errors: 0.01, latency_ms: 200, cost_usd: 0.01 } } },
  ]);
  const arms: Arm[] = [];
  for (const key of ['ada', 'bob', 'cleo', 'dan'])
    arms.push((await (await ask(`/api/v1/experiments/shorter/arm?key=${key}`)).json()) as Arm);
  expect(new Set(arms.map(({ prompt_version }) => prompt_version)).size).toBe(2);
  const records = arms.map((arm, i) => ({ id: `r${i}`, latency_ms: 900, ...withTime(), ...pick(arm) }));
  expect((await ask('/api/v1/decompositions', post(records))).status).toBe(201);
  const one = await (await ask('/api/v1/experiments/shorter')).json();
  expect(one).toMatchObject({ requests: 4, verdict: 'too early to tell', distrust: [], stopped: null });
  expect(await (await ask('/api/v1/experiments')).json()).toMatchObject({ experiments: [one] });
  expect((await ask('/api/v1/experiments/shorter/stop', post({}))).status).toBe(400);
  const stopped = await ask('/api/v1/experiments/shorter/stop', post({ reason: 'a try' }));
  expect(await stopped.json()).toMatchObject({ stopped: { decision: 'undecided' } });
  expect((await ask('/api/v1/experiments/none')).status).toBe(404);
});

/** A moment after the start. */
function withTime() {
  return { at: new Date(Date.now() + 1).toISOString() };
}

function pick({ prompt_version, experiment }: Arm) {
  return { prompt_version, experiment };
}
