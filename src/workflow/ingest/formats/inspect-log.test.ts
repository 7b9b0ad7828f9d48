import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeZip } from '../../../archives/testing/make-zip.ts';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();
const header = { version: 2, status: 'success', eval: { task: 'review', model: 'openai/gpt-5' } };
const sample = (epoch: number) => ({
  id: 'T1',
  epoch,
  output: { choices: [{ message: { role: 'assistant', content: '- src/a.ts:12 The retry has no bound' } }] },
});
const samples = [sample(1), sample(2), { id: 'T2', epoch: 1, output: null, error: { message: 'broke' } }];

it('reads a log of Inspect and its archive alike, a run for each epoch', () => {
  const members = samples.map((one, i) => [`samples/${i}.json`, JSON.stringify(one)] as const);
  const archive = write('x.eval', '');
  writeFileSync(archive, makeZip({ 'header.json': JSON.stringify(header), ...Object.fromEntries(members) }));
  for (const path of [archive, write('log.json', { ...header, samples })]) {
    const { runs, notes } = importRuns(path);
    expect(runs.map(({ workflow, task, run, findings }) => [workflow, task, run, findings.length])).toEqual([
      ['openai/gpt-5', 'T1', '1', 1],
      ['openai/gpt-5', 'T1', '2', 1],
      ['openai/gpt-5', 'T2', '1', 0],
    ]);
    expect(notes).toContain('executions that gave no answer, which count as reviews that found nothing: 1');
  }
});

it('refuses an archive that is cut off', () => {
  const path = write('cut.eval', '');
  writeFileSync(path, makeZip({ 'header.json': JSON.stringify(header) }).subarray(0, 40));
  expect(() => importRuns(path)).toThrow('is no archive of an evaluation, or it is damaged');
});
