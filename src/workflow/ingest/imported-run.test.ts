import { describe, expect, it } from 'vitest';
import { importRuns } from './import-file.ts';
import { tempFolder } from './testing/temp-folder.ts';

const { write } = tempFolder();

const sarif = (results: unknown, driver: object = { name: 'Tool' }) => ({
  version: '2.1.0',
  runs: [{ tool: { driver }, results }],
});

describe('the names of a run from another tool', () => {
  const log = sarif([], { name: 'Linter', version: '3' });

  it('come from its file name, and the import says so', () => {
    const { runs, notes } = importRuns(write('v6--T1--run-2.sarif', log));
    expect(runs).toMatchObject([{ workflow: 'v6', task: 'T1', run: 'run-2' }]);
    expect(notes).toContain('workflow "v6" comes from the name of the file');
  });

  it('come from the tool and the file name where no more is known', () => {
    const { runs, notes } = importRuns(write('night.sarif', log), { task: 'T1' });
    expect(runs).toMatchObject([{ workflow: 'Linter 3', task: 'T1', run: 'night' }]);
    expect(notes).toEqual([
      'workflow "Linter 3" comes from the tool that the file names',
      'run "night" comes from the name of the file',
    ]);
  });

  it('are asked for when nothing tells the task', () => {
    const read = () => importRuns(write('night.sarif', log));
    expect(read).toThrow(/night\.sarif: task: neither the file nor its name gives the task/);
    expect(read).toThrow(
      expect.objectContaining({ remedy: 'Give --task, or name the file workflow--task--run.sarif.' }),
    );
  });
});
