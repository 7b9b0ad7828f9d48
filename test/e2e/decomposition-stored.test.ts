/** Stored runs side by side, and one case of one: what the pages of the dashboard are made of. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decompositionRun } from '../../src/api/schema/decomposition.ts';
import { encode } from '../../src/api/wire.ts';
import { compareRuns } from '../../src/operations/decomposition/compare-runs.ts';
import { readCase } from '../../src/operations/decomposition/read-case.ts';
import { defaultPorts, type OpenPorts } from '../../src/operations/default-ports.ts';
import { openProject, type Project } from '../decomposition-project.ts';

let project: Project;
let ports: OpenPorts;
let ids: { before: string; after: string };

beforeAll(async () => {
  project = openProject();
  project.outputs('before', { found: 10 });
  project.outputs('after', (i) => ({ found: i === 1 ? 4 : 9, canary: i === 2, forbidden: i === 3 }));
  const run = (name: string) =>
    project.assay('run', '--outputs', name, '--no-semantic', '--format', 'json', '--out', `${name}.json`);
  await run('before');
  await run('after');
  ids = { before: project.readJson('before.json').run.id, after: project.readJson('after.json').run.id };
  ports = defaultPorts({ store: project.at('.local/share/assay/assay.db') });
});

afterAll(async () => {
  await ports.close();
  project.close();
});

describe('two stored runs', () => {
  it('compare as their files do', async () => {
    const { comparison, gate } = encode(
      decompositionRun,
      await compareRuns({ ...ids, insist: false }, ports),
    );
    const printed = await project.json('compare', 'before.json', 'after.json');
    expect(comparison).toEqual(printed.comparison);
    expect(gate).toEqual(printed.gate);
  });

  it('one of which is unknown are an error that says so', async () => {
    await expect(compareRuns({ ...ids, before: 'nope', insist: false }, ports)).rejects.toMatchObject({
      code: 'RUN_NOT_FOUND',
    });
  });
});

describe('a case of a stored run', () => {
  const ask = (caseId: string, folder = project.folder) =>
    readCase({ runId: ids.after, caseId, folder }, ports);

  it('has its text from the golden files, and verified quotes are where they say', async () => {
    const { text, evidence, judged } = await ask('case-1');
    if (text.state !== 'here') throw new Error(text.why);
    expect(text.asMeasured).toBe(true);
    const [trial] = evidence?.trials ?? [];
    const quoted = (trial?.concepts ?? []).map(({ quote }) =>
      quote.state === 'verified' ? text.text.slice(...quote.at) : quote.state,
    );
    expect(quoted[0]).toBe('There is a glacier of which much is said.');
    expect(trial?.expected.filter(({ found }) => !found)).toHaveLength(6);
    expect(judged.zone).toBe('fail');
  });

  it('says so where its text is not at hand, or is not what was measured', async () => {
    expect((await ask('case-1', project.at('before'))).text).toMatchObject({ state: 'absent' });
    const path = 'golden/case-2.gold.json';
    const golden = project.readJson(path);
    project.write(path, JSON.stringify({ ...golden, version: '1.1' }));
    expect((await ask('case-1')).text).toMatchObject({ state: 'here', asMeasured: false });
    await expect(ask('case-99')).rejects.toMatchObject({ code: 'CASE_NOT_FOUND' });
  });
});
