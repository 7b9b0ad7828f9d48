import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assign } from '../../decomposition/production/experiment/assign.ts';
import type { AbPlan } from '../../decomposition/production/experiment/plan.ts';
import { readLedger } from '../../decomposition/prompts/ledger.ts';
import { random } from '../../stats/random.ts';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { readExperiments, startExperiment, stopAtGuardRails, stopExperiment } from './experiments.ts';
import { assignKey } from './find-request.ts';

let folder: string;
let prompts: string;
let ports: OpenPorts;
const START = Date.UTC(2026, 0, 5, 10);
let clock = START;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-experiment-'));
  prompts = join(folder, 'prompts');
  mkdirSync(prompts);
  for (const version of ['v1.0', 'v1.1'])
    writeFileSync(join(prompts, `extract-${version}.md`), `Words of ${version}.`);
  clock = START;
  ports = { ...defaultPorts(), now: () => new Date(clock), identity: () => 'ada' };
});
afterEach(async () => {
  await ports.close();
  rmSync(folder, { recursive: true });
});

const NAMED = { candidate: 'extract-v1.1', control: 'extract-v1.0', id: 'shorter' } as const;

async function start(rest: object = {}): Promise<AbPlan> {
  return (await startExperiment({ prompts, ...NAMED, ...rest }, ports)).plan;
}

/** Requests of users in their arms, each output rated by a person who likes the candidate better. */
async function serve(plan: AbPlan, users: number, slower = 0, isLost = (_: number) => false): Promise<void> {
  const source = random(5);
  const store = await ports.store();
  const at = (i: number) => new Date(START + 1000 * (i + 1)).toISOString();
  const requests = Array.from({ length: users }, (_, i) => ({
    id: `r${i}`,
    ...assign(plan, `user-${i}`),
  })).filter(({ experiment: { arm } }, i) => arm === 'control' || !isLost(i));
  await store.appendDecompositions(
    requests.map(({ id, ...rest }, i) => ({
      id,
      at: at(i),
      status: 'ok' as const,
      latencyMs: 1000 + (rest.experiment.arm === 'candidate' ? slower : 0),
      ...rest,
    })),
    [],
  );
  await store.appendRatings(
    requests.map(({ id, experiment: { arm } }, i) => ({
      ratingId: `rating-${i}`,
      kind: 'decomposition',
      subjectId: id,
      author: 'ada',
      rating: source.below(100) < (arm === 'candidate' ? 95 : 65) ? 1 : 0,
      at: at(users + i),
    })),
  );
  clock = START + 1000 * (2 * users + 10);
}

describe('an experiment with two prompts', () => {
  it('is planned in the ledger, read from requests and ratings, and its decision kept beside the plan', async () => {
    const plan = await start();
    expect(plan).toMatchObject({ share: 0.5, primary: 'acceptable', smallestEffect: 0.05 });
    await serve(plan, 600);
    const [status] = await readExperiments({ cwd: folder, id: 'shorter' }, ports);
    expect(status?.reading).toMatchObject({ verdict: 'candidate better', exposures: 600, over: true });
    expect(status?.reading.guards.find(({ guard }) => guard === 'costUsd')?.n).toEqual([0, 0]);
    const { stopped } = await stopExperiment({ prompts, id: 'shorter' }, ports);
    expect(stopped?.outcome).toMatchObject({ decision: 'adopt the candidate', requests: 600 });
    const { entries, fault } = readLedger(prompts);
    expect(fault).toBeUndefined();
    expect(entries.map(({ action, prompt, who }) => [action, prompt, who])).toEqual([
      ['experiment started', 'extract-v1.1', 'ada'],
      ['experiment stopped', 'extract-v1.1', 'ada'],
    ]);
    // What comes after the end is not part of it.
    const [again] = await readExperiments({ cwd: folder, id: 'shorter' }, ports);
    expect(again?.stopped?.reasons[0]).toMatch(/^the candidate extract-v1\.1 is better than extract-v1\.0/);
    await expect(stopExperiment({ prompts, id: 'shorter' }, ports)).rejects.toThrow('was already stopped');
  });

  it('ends by itself where its candidate is worse than a guard rail allows, and nowhere else', async () => {
    const plan = await start();
    const look = () => stopAtGuardRails({ prompts, cwd: folder }, ports);
    await serve(plan, 600, 2000);
    expect((await look()).map(({ stopped }) => stopped?.outcome.verdict)).toEqual(['guard rail crossed']);
    expect(readLedger(prompts).entries.at(-1)).toMatchObject({
      action: 'experiment stopped',
      who: 'assay',
      reasons: [expect.stringContaining('guard rail'), 'reason: stopped automatically'],
    });
    expect(assignKey({ cwd: folder, id: 'shorter', key: 'user-2' }).promptVersion).toBe('extract-v1.0');
    expect(await look()).toEqual([]);
  });

  it('ends at a guard rail also where its arms are uneven, without a word on which is better', async () => {
    const plan = await start();
    await serve(plan, 900, 3000, (i) => i % 2 === 0);
    const [ended] = await stopAtGuardRails({ prompts, cwd: folder }, ports);
    expect(ended?.stopped?.outcome).toMatchObject({
      verdict: 'not to be trusted',
      decision: 'keep the control',
    });
    expect(ended?.stopped?.reasons[0]).toMatch(
      /not filled as planned.*; but .* crosses a guard rail: latency/,
    );
  });

  it('goes on where it is better and within its guard rails, until somebody stops it', async () => {
    await serve(await start(), 600);
    expect(await stopAtGuardRails({ prompts, cwd: folder }, ports)).toEqual([]);
  });

  it('ends before it has found anything only with a reason', async () => {
    await start();
    await expect(stopExperiment({ prompts, id: 'shorter' }, ports)).rejects.toThrow('has no result yet');
    const { stopped } = await stopExperiment({ prompts, id: 'shorter', reason: 'no time' }, ports);
    expect(stopped).toMatchObject({ outcome: { decision: 'undecided' } });
    expect(stopped?.reasons).toContain('reason: no time');
  });

  it('gives a key the arm that its records are checked against, and the control once it was stopped', async () => {
    const plan = await start({ share: 0.95 });
    const asked = { cwd: folder, id: 'shorter', key: 'user-2' };
    const assigned = assign(plan, 'user-2');
    expect(assignKey(asked)).toEqual(assigned);
    expect(assigned.experiment.arm).toBe('candidate');
    await stopExperiment({ prompts, id: 'shorter', reason: 'no time' }, ports);
    expect(assignKey(asked)).toEqual({
      promptVersion: 'extract-v1.0',
      experiment: { ...assigned.experiment, arm: 'control' },
    });
  });

  it('refuses a second of the same name or candidate, a version that is not there, and one compared with itself', async () => {
    await start();
    await expect(start()).rejects.toThrow('the experiment shorter already exists');
    await expect(start({ id: 'other' })).rejects.toThrow('extract-v1.1 is already in the experiment shorter');
    await expect(start({ id: 'other', candidate: 'extract-v1.2' })).rejects.toThrow('extract-v1.2');
    await expect(start({ id: 'other', candidate: 'extract-v1.0' })).rejects.toThrow('with itself');
    await expect(start({ id: 'other', candidate: 'extract-v1.1', control: undefined })).rejects.toThrow(
      'no version of extract is in force',
    );
    expect(() => assignKey({ cwd: folder, id: 'none', key: 'a' })).toThrow('there is no experiment none');
  });

  it('refuses a plan that cannot be kept, and a candidate whose words were changed since', async () => {
    await expect(start({ share: 1.5 })).rejects.toThrow('the share of an experiment');
    await start();
    await stopExperiment({ prompts, id: 'shorter', reason: 'no time' }, ports);
    writeFileSync(join(prompts, 'extract-v1.1.md'), 'Other words.');
    await expect(start({ id: 'again' })).rejects.toThrow(
      'extract-v1.1.md was changed after it was decided on',
    );
  });
});
