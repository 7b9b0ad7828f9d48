import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRuns } from './collect-runs.ts';
import { readDocuments } from './list-files.ts';
import { readExperiment } from './read-experiment.ts';
import { blocksOf, tempFolder } from './testing/temp-folder.ts';

const { at, write } = tempFolder();

const truth = (task: string, version = '1.0') => ({
  task,
  version,
  errors: [{ id: 'E1', severity: 'MINOR', category: 'EDGE', description: 'x' }],
});
const run = (workflow: string, task: string, id: string | number, more: object = {}) => ({
  workflow,
  task,
  run: id,
  findings: [],
  ...more,
});
const labelled = (error: string) => ({
  findings: [{ id: 'F1', title: 'x', label: { match: 'Y', error, by: 'ann' } }],
});

function writeFolder() {
  write('truth/T1.json', truth('T1'));
  write('truth/T2.yaml', JSON.stringify(truth('T2')));
  write('documents/T1/design.md', '# Design\n');
  for (const workflow of ['v1', 'v2'])
    for (const task of ['T1', 'T2'])
      for (const n of [1, 2]) write(`runs/${workflow}/${task}/run-${n}.json`, run(workflow, task, n));
}

describe('runs from files and folders', () => {
  it('are read in a stable order from everything below a folder', () => {
    write('out/b/2.json', run('v1', 'T1', 2));
    write('out/a/1.json', run('v1', 'T1', 1));
    write('out/README.md', 'not a run');
    write('out/.hidden.json', 'not a run');
    expect(readRuns([at('out')]).map((one) => one.run)).toEqual(['1', '2']);
  });

  it('are refused when a file is there twice, naming both', () => {
    const file = write('out/1.json', run('v1', 'T1', 1));
    const copy = write('out/copy-of-1.json', run('v1', 'T1', 1));
    expect(() => readRuns([at('out')])).toThrow(
      `${copy}: the whole document: has the same content as ${file}; a run counts once`,
    );
    expect(() => readRuns([file, file])).toThrow('is given twice');
  });

  it('are refused when two files are the same run, naming both', () => {
    const first = write('out/1.json', run('v1', 'T1', 1));
    const second = write('out/2.json', run('v1', 'T1', '1', labelled('E1')));
    expect(() => readRuns([first, second])).toThrow(
      `${second}: run: "1" of workflow "v1" on task "T1" is in ${first} as well; a run counts once`,
    );
  });

  it('are refused when another tool wrote the same report twice', () => {
    const log = { version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results: [] }] };
    const files = [write('1.sarif', log), write('2.sarif', log)];
    expect(() => readRuns(files, { task: 'T1' })).toThrow(/2\.sarif: .*has the same content as .*1\.sarif/);
  });

  it('are refused when a folder has none', () => {
    write('out/README.md', 'x');
    expect(() => readRuns([at('out')])).toThrow(/holds no file that could be a run/);
    expect(() => readRuns([at('absent')])).toThrow(/absent does not exist/);
  });
});

describe('an experiment', () => {
  it('is a folder in the documented layout', () => {
    writeFolder();
    const { arms, name } = readExperiment(at(''));
    expect(name).toMatch(/^assay-/);
    expect(arms.map(({ workflow, task, runs, truth }) => [workflow, task, runs.length, truth.task])).toEqual([
      ['v1', 'T1', 2, 'T1'],
      ['v1', 'T2', 2, 'T2'],
      ['v2', 'T1', 2, 'T1'],
      ['v2', 'T2', 2, 'T2'],
    ]);
    expect(arms[0]?.documents).toBe(at('documents/T1'));
    expect(arms[1]?.documents).toBeUndefined();
  });

  it('is a file that names its parts, as the documentation shows', () => {
    const [yaml = ''] = blocksOf('docs/formats/workflow-experiment.md', 'yaml');
    write('truth/T1.yaml', JSON.stringify(truth('T1')));
    write('out/old/1.json', run('review-1', 'T1', 1));
    write('out/new/1.json', run('review-2', 'T1', 1));
    write('out/again.jsonl', JSON.stringify(run('review-2', 'T1', 2)));
    write('mapping.yaml', 'severity: {}');
    const { name, arms } = readExperiment(write('experiment.yaml', yaml));
    expect(name).toBe('Relay, review-1 against review-2');
    expect(arms.map(({ workflow, runs }) => [workflow, runs.map((one) => one.run)])).toEqual([
      ['review-1', ['1']],
      ['review-2', ['1', '2']],
    ]);
  });

  it('gives runs of other tools the names of their folders', () => {
    write('truth/T1.json', truth('T1'));
    write('runs/lint/T1/night.sarif', {
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'x' } }, results: [] }],
    });
    expect(readExperiment(at('')).arms).toMatchObject([
      { workflow: 'lint', task: 'T1', runs: [{ workflow: 'lint', task: 'T1', run: 'night' }] },
    ]);
  });

  it.each<[string, () => void, RegExp]>([
    [
      'a run in the folder of another workflow',
      () => write('runs/v1/T1/x.json', run('v2', 'T1', 9)),
      /x\.json: workflow: is workflow "v2" on task "T1", but it is placed under workflow "v1"/,
    ],
    [
      'a run in the folder of another task',
      () => write('runs/v1/T1/x.json', run('v1', 'T2', 9)),
      /x\.json: task: is workflow "v1" on task "T2"/,
    ],
    [
      'a run twice',
      () => write('runs/v1/T1/x.json', run('v1', 'T1', '2', { model: 'm' })),
      /x\.json: run: "2" of workflow "v1" on task "T1" is in .*run-2\.json as well/,
    ],
    [
      'a task without a ground truth',
      () => write('runs/v1/T3/x.json', run('v1', 'T3', 1)),
      /runs\.4\.task|"T3" has no ground truth/,
    ],
    [
      'two ground truths of a task',
      () => write('truth/T1.yaml', JSON.stringify(truth('T1'))),
      /truth\/T1\.yaml: task: .*truth\/T1\.json is a ground truth of task "T1" as well/,
    ],
    [
      'a ground truth of another task',
      () => write('truth/T1.json', truth('T9')),
      /T1\.json: task: is the ground truth of task "T9", not of "T1"/,
    ],
    [
      'a label for an error that is not there',
      () => write('runs/v1/T1/x.json', run('v1', 'T1', 9, labelled('E7'))),
      /x\.json: findings\.0\.label: "ann" matches F1 with "E7", which version "1\.0" of the ground truth does not have/,
    ],
    [
      'labels for another version',
      () => write('runs/v1/T1/x.json', run('v1', 'T1', 9, { truth_version: '0.9' })),
      /x\.json: truth_version: its labels refer to version "0\.9" of the ground truth; this one is "1\.0"/,
    ],
  ])('is refused with %s', (_, spoil, message) => {
    writeFolder();
    spoil();
    expect(() => readExperiment(at(''))).toThrow(message);
  });

  it('is refused with a ground truth of another version than it names', () => {
    writeFolder();
    write('experiment.json', { tasks: [{ task: 'T1', truth: 'truth/T1.json', version: '1.1' }], runs: [] });
    expect(() => readExperiment(at(''))).toThrow(
      /T1\.json: version: is version "1\.0"; the experiment names version "1\.1"/,
    );
  });

  it('says what it looks for when a folder is none', () => {
    expect(() => readExperiment(at(''))).toThrow(
      expect.objectContaining({
        code: 'FILE_NOT_FOUND',
        remedy: expect.stringContaining('truth/ and runs/<workflow>/<task>/'),
      }),
    );
  });
});

describe('reviewed documents', () => {
  it('are texts by their path, without pictures, hidden files and links', () => {
    write('docs/a/design.md', '# Design\n');
    write('docs/picture.png', 'PNG\0\0');
    write('docs/.git', 'x');
    write('secret.md', 'secret');
    symlinkSync(at('secret.md'), at('docs/link.md'));
    expect([...readDocuments(at('docs'))]).toEqual([['a/design.md', '# Design\n']]);
  });
});
