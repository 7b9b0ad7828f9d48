import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainNoMatch, joinLabels } from './join-labels.ts';
import { readReport } from './read-report.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-harness-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, document: unknown): string {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, JSON.stringify(document));
  return place;
}

const trial = (name: string, verifier: unknown) => ({
  task_name: name.split('__')[0],
  trial_name: name,
  agent_result: { n_input_tokens: 10 },
  verifier_result: verifier,
  exception_info: null,
});

describe('a report of a harness', () => {
  it('of SWE-bench labels what was judged: broken evaluations are not failures', async () => {
    const path = write('report.json', {
      total_instances: 5,
      resolved_ids: ['a__a-1'],
      unresolved_ids: ['b__b-2'],
      completed_ids: ['a__a-1', 'b__b-2'],
      empty_patch_ids: ['c__c-3'],
      error_ids: ['d__d-4'],
      incomplete_ids: ['e__e-5'],
    });
    const { harness, labels } = await readReport(path);
    expect(harness).toBe('SWE-bench');
    expect(Object.fromEntries(labels.map(({ task, outcome }) => [task, outcome]))).toEqual({
      'a__a-1': 1,
      'b__b-2': 0,
      'c__c-3': 0,
    });
    const single = write('one.json', { 'a__a-1': { resolved: true, patch_exists: true } });
    expect((await readReport(single)).labels).toEqual([
      { outcome: 1, task: 'a__a-1', of: { instance: 'a__a-1' } },
    ]);
  });

  it('of Harbor takes the reward of each trial, and none where the verifier gave none', async () => {
    write('job/result.json', { id: 'x', n_total_trials: 3, stats: {} });
    write('job/fix-git__Ab3/result.json', trial('fix-git__Ab3', { rewards: { reward: 1 } }));
    write('job/fix-git__Zz9/result.json', trial('fix-git__Zz9', { rewards: { tests: 0.25 } }));
    write('job/other__Q/result.json', trial('other__Q', null));
    const { harness, labels } = await readReport(join(folder, 'job'));
    expect(harness).toBe('Harbor');
    expect(labels.map(({ outcome, task }) => [task, outcome])).toEqual([
      ['fix-git', 1],
      ['fix-git', 0.25],
    ]);
  });

  it('of Terminal-Bench 1 labels resolved trials, whether of one trial or of the run', async () => {
    const one = { trial_name: 't.1-of-1.run', task_id: 't', is_resolved: true };
    write('run/t/t.1-of-1.run/results.json', one);
    expect((await readReport(join(folder, 'run'))).labels).toMatchObject([{ outcome: 1, task: 't' }]);
    const all = write('results.json', {
      results: [one, { trial_name: 'u', task_id: 'u', is_resolved: null }],
    });
    expect((await readReport(all)).labels).toEqual([
      { outcome: 1, task: 't', of: { instance: 't.1-of-1.run' } },
    ]);
  });

  it('may lie under any name in a folder, with others beside it', async () => {
    write('runs/gpt.json', [
      { task_id: 7, trial: 0, reward: 1, traj: [{ role: 'user', content: 'Hi' }], info: {} },
    ]);
    write('runs/index.json', { files: ['gpt.json'] });
    writeFileSync(join(folder, 'runs', 'broken.json'), '{');
    const { harness, labels } = await readReport(join(folder, 'runs'));
    expect(harness).toBe('tau-bench');
    expect(labels.map(({ outcome }) => outcome)).toEqual([1]);
  });

  it('is never a part of what is there: a folder or a file that cannot be opened is an error that names it', async () => {
    const [near, far] = [`${'n'.repeat(250)}/`.repeat(13), 'f'.repeat(250)];
    const job = join(folder, near, 'job');
    write(`${near}job/a__1/result.json`, trial('a__1', { rewards: { reward: 1 } }));
    expect((await readReport(job)).labels).toHaveLength(1);
    // Together longer than a path may be, so it cannot be opened by name.
    mkdirSync(join(folder, `${far}/`.repeat(5)), { recursive: true });
    renameSync(join(folder, far), join(job, far));
    try {
      await expect(readReport(job)).rejects.toThrow(/f{250} cannot be read/);
    } finally {
      renameSync(join(job, far), join(folder, far));
    }
  });

  it('that is none says what is known, and links are not followed', async () => {
    const path = write('other.json', { anything: [1, 2] });
    await expect(readReport(path)).rejects.toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
    mkdirSync(join(folder, 'job'));
    symlinkSync(folder, join(folder, 'job', 'round'));
    await expect(readReport(join(folder, 'job'))).rejects.toThrow(/no result of a known harness/);
    await expect(readReport(join(folder, 'absent'))).rejects.toThrow(
      expect.objectContaining({ code: 'FILE_NOT_FOUND' }),
    );
  });
});

describe('labels find their session', () => {
  const session = (sessionId: string, path: string, startedAt?: number) => ({ sessionId, path, startedAt });

  it('by id, by the name of the instance, and in the folder of the trial the one that began first', () => {
    const sessions = [
      session('s1', '/jobs/j/fix__A/agent/sessions/x.jsonl', 200),
      session('s2', '/jobs/j/fix__A/agent/sessions/sub.jsonl', 300),
      session('s3', '/jobs/j/fix__Ab/agent/x.jsonl', 100),
      session('a__a-1', '/runs/gpt/a__a-1/a__a-1.traj', 1),
    ];
    const { joined, unmatched, ambiguous } = joinLabels(
      [
        { outcome: 1, of: { folder: '/jobs/j/fix__A' } },
        { outcome: 0, of: { instance: 'a__a-1' } },
        { outcome: 0, of: { session: 's3' } },
        { outcome: 1, of: { instance: 'nobody' } },
      ],
      sessions,
    );
    expect(joined.map(({ session: { sessionId }, outcome }) => [sessionId, outcome])).toEqual([
      ['s1', 1],
      ['a__a-1', 0],
      ['s3', 0],
    ]);
    expect({ unmatched, ambiguous }).toEqual({ unmatched: 1, ambiguous: 0 });
  });

  it('by the end of a name that has the run before the instance', () => {
    const path = '/data/gpt4__dev__t-0.00__pydicom__pydicom-1458.traj';
    const labels = [{ outcome: 1, of: { instance: 'pydicom__pydicom-1458' } }];
    expect(joinLabels(labels, [session('x', path)]).joined).toHaveLength(1);
  });

  it('say what is there on either side when none does', () => {
    const labels = [{ outcome: 1, of: { instance: 'a__a-1' } }];
    const error = explainNoMatch(labels, [session('x', '/one/b.traj')], 0);
    expect(error.message).toBe('none of the 1 labels is of one of the 1 sessions');
    expect(error.remedy).toMatch(/names a__a-1; a session is called x and lies in \/one\/b\.traj/);
    expect(explainNoMatch(labels, [], 1).message).toContain('fits several');
  });

  it('is not guessed where two runs of one instance are there', () => {
    const sessions = [session('x', '/one/a__a-1.traj'), session('y', '/two/a__a-1.traj')];
    expect(joinLabels([{ outcome: 1, of: { instance: 'a__a-1' } }], sessions)).toEqual({
      joined: [],
      unmatched: 0,
      ambiguous: 1,
    });
  });

  it('count once when a report of the run repeats them, and not at all when they contradict each other', () => {
    const sessions = [session('x', '/run/t/t.1-of-1/a.jsonl')];
    const of = [{ folder: '/run/t/t.1-of-1' }, { instance: 't.1-of-1' }] as const;
    const labels = (other: number) => [
      { outcome: 1, of: of[0] },
      { outcome: other, of: of[1] },
    ];
    expect(joinLabels(labels(1), sessions)).toMatchObject({ joined: [{ outcome: 1 }], ambiguous: 0 });
    expect(joinLabels(labels(0), sessions)).toMatchObject({ joined: [], ambiguous: 2 });
  });
});
