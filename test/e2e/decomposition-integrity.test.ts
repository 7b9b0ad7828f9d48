/** What was changed by hand, left out or counted twice is named, and nothing passes on it. */
import { copyFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProject, type Project } from '../decomposition-project.ts';

let project: Project;
beforeEach(() => {
  project = openProject();
  project.outputs('good', { found: 10, model: 'm' });
});
afterEach(() => project.close());

const judged = async (...words: string[]) => {
  const { gate } = await project.json('run', '--outputs', 'good', '--compare', ...words);
  return { verdict: gate.verdict, reasons: gate.reasons.join('\n') };
};
type Json = Record<string, unknown> & {
  suite: { metrics: Record<string, object> } & Record<string, unknown>;
};
const edit = (name: string, change: (json: Json) => unknown) =>
  project.write(name, JSON.stringify(change(project.readJson(name))));

describe('a baseline', () => {
  beforeEach(async () => {
    expect((await project.assay('baseline', '--outputs', 'good')).status).toBe(0);
    expect(await judged()).toEqual({ verdict: 'passed', reasons: '' });
  });

  const lowered = (json: Json) => {
    const { suite } = json;
    const metrics = { ...suite.metrics, overall: { ...suite.metrics.overall, value: 0.7 } };
    return { ...json, suite: { ...suite, metrics } };
  };

  it('that somebody edited is named', async () => {
    edit('.baseline.json', lowered);
    expect(await judged()).toMatchObject({
      verdict: 'inconclusive',
      reasons: expect.stringMatching(
        /\.baseline\.json was changed after it was written[\s\S]*other values than its run/,
      ),
    });
    // Whoever takes the hash out as well has not written it with this version.
    edit('.baseline.json', (json) => {
      const { values_sha256: _, ...suite } = json.suite;
      return { ...json, suite };
    });
    expect(await judged('--no-store')).toMatchObject({
      verdict: 'inconclusive',
      reasons: expect.stringMatching(/has no hash of its values/),
    });
  });

  it('measured with a case that changed without a new version is named, whoever insists', async () => {
    edit('golden/case-2.gold.json', (json) => ({ ...json, topic: 'Other things' }));
    expect(await judged('--insist')).toMatchObject({
      verdict: 'inconclusive',
      reasons: expect.stringMatching(
        /golden case case-2 changed since the baseline and is still version 1\.0/,
      ),
    });
    edit('golden/case-2.gold.json', (json) => ({ ...json, version: '1.1' }));
    expect((await judged('--insist')).verdict).toBe('passed');
  });
});

const reasonsOf = async (outputs = 'good') => {
  const { gate } = await project.json('run', '--outputs', outputs);
  return [gate.verdict, gate.reasons.join('\n')];
};

it('trials that were left out are named', async () => {
  for (let i = 1; i <= 8; i++)
    for (const trial of [1, 2, 3])
      copyFileSync(project.at('good/case-1.json'), project.at(`good/case-${i}.${trial}.json`));
  for (let i = 1; i <= 8; i++) rmSync(project.at(`good/case-${i}.json`));
  expect((await reasonsOf())[0]).toBe('passed');
  rmSync(project.at('good/case-3.2.json'));
  rmSync(project.at('good/case-5.3.json'));
  expect(await reasonsOf()).toEqual([
    'inconclusive',
    expect.stringMatching(/case-3: trial 2 of 3 missing\ncase-5: trial 3 of 3 missing/),
  ]);
});

it('a case that counts twice is named', async () => {
  const json = project.readJson('golden/case-1.gold.json');
  project.write(
    'golden/again.gold.json',
    JSON.stringify({ ...json, id: 'again', sourceText: `${json.sourceText} Slightly more.` }),
  );
  copyFileSync(project.at('good/case-1.json'), project.at('good/again.json'));
  expect(await reasonsOf()).toEqual([
    'inconclusive',
    expect.stringMatching(/golden case case-1 has the text of again: one case counts twice/),
  ]);
});

it('a draft that was published without an edit is named', async () => {
  project.write('notes.txt', project.readJson('golden/case-1.gold.json').sourceText.replaceAll('x', 'y'));
  rmSync(project.at('golden/case-1.gold.json'));
  expect((await project.assay('new', 'case-1', '--text', 'notes.txt')).status).toBe(0);
  edit('golden/case-1.gold.json', ({ draft: _, ...json }) => json);
  expect((await reasonsOf())[1]).toMatch(/golden case case-1 is a draft published without an edit/);
  edit('golden/case-1.gold.json', (json) => ({ ...json, forbiddenConcepts: ['phantom tide'] }));
  expect((await reasonsOf())[1]).not.toMatch(/without an edit/);
});
