import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { openProject, type Project, type RunJson } from '../decomposition-project.ts';

const CASES = 1100;

let project: Project;
beforeAll(() => {
  project = openProject(CASES);
  project.outputs('outputs', (i) => ({ found: 6 + (i % 5), canary: i % 400 === 7 }), CASES);
});
afterAll(() => project.close());

const run = (...words: string[]) => project.assay('run', '--outputs', 'outputs', '--no-semantic', ...words);

it('stores the same run of many cases, whether it prints a table or JSON', async () => {
  await run('--store', 'whole.db', '--format', 'json', '--out', 'whole.json');
  const whole: RunJson = JSON.parse(readFileSync(project.at('whole.json'), 'utf8'));
  const table = await run('--store', 'streamed.db');
  expect(table.stderr).toBe('');
  expect(table.status).toBe(whole.gate.exit_code);
  const [one, other] = await Promise.all(
    ['whole.db', 'streamed.db'].map(async (name) => {
      const store = await openStore(project.at(name));
      const [latest] = await store.listRuns({ limit: 1 });
      return store.readRun(latest?.runId ?? '').finally(() => store.close());
    }),
  );
  expect(other?.truthHash).toBe(whole.suite.truth_hash);
  expect(other?.metrics).toEqual(one?.metrics);
  expect(other?.cases).toHaveLength(CASES);
  expect(other?.cases).toEqual(one?.cases);
});

it('names a case that cannot be read in the middle of them, and measures the others', async () => {
  writeFileSync(project.at('outputs/case-555.json'), '{"concepts": [');
  const { status, stdout } = await run('--format', 'csv');
  expect(status).toBe(1);
  const rows = stdout.trim().split('\n');
  expect(rows).toHaveLength(CASES + 1);
  const errored = rows.filter((row) => row.includes('is not JSON'));
  expect(errored).toEqual([expect.stringMatching(/^case-555,/)]);
});

it('says nothing of the semantic level when it is switched off, and refuses to count what it skips', async () => {
  expect((await run()).stdout).not.toMatch(/At match level|Semantic matching|offline model/);
  const { status, stderr } = await run('--match-level', 'semantic');
  expect(status).toBe(3);
  expect(stderr).toContain('--no-semantic');
});
