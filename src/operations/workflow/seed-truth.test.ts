import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importTruth } from '../../workflow/ingest/import-file.ts';
import { readExperiment } from '../../workflow/ingest/read-experiment.ts';
import { tempFolder } from '../../workflow/ingest/testing/temp-folder.ts';
import { importPullRequest } from './import-pull-request.ts';
import { seedByMutation, seedFromHistory } from './seed-truth.ts';

const { at, write } = tempFolder();

const SOURCE = Array.from(
  { length: 12 },
  (_, i) => `export async function part${i}(list: number[], limit: number): Promise<number> {
  if (limit === ${i}) return 0;
  let sum = 0;
  for (let at = 0; at < limit; at++) {
    sum += list[at] ?? 0;
  }
  const stored = await store.read(list, limit);
  await stored.close();
  if (sum > limit && stored.ready) return send(sum, limit);
  return sum;
}
`,
).join('\n');

it('plants errors at the places that the truth names, the same ones for the same seed', () => {
  write('src/app.ts', SOURCE);
  write('src/app.test.ts', SOURCE);
  const seed = (folder: string, number: number) =>
    seedByMutation({ files: [at('src')], folder: at(folder), task: 'T1', seed: number, errors: 8 });
  expect(seed('one', 7).tasks).toMatchObject([{ task: 'T1', errors: 8 }]);
  seed('two', 7);
  seed('three', 8);
  const text = (folder: string, path: string) => readFileSync(at(join(folder, path)), 'utf8');
  const both = ['truth/T1.yaml', 'documents/T1/app.ts'];
  for (const path of both) expect(text('two', path)).toBe(text('one', path));
  expect(text('three', 'truth/T1.yaml')).not.toBe(text('one', 'truth/T1.yaml'));
  // Tests are copied as they are.
  expect(text('one', 'documents/T1/app.test.ts')).toBe(SOURCE);
  const { truth } = importTruth(at('one/truth/T1.yaml'));
  expect(truth.draft).toBe(true);
  const copy = text('one', 'documents/T1/app.ts').split('\n');
  const changed = copy.filter((line) => !SOURCE.includes(line));
  const named = truth.errors.flatMap(({ locations }) =>
    locations.map(({ lines: [from, to] = [0, 0] }) => copy.slice(from - 1, to)),
  );
  // What was changed stands where the truth says; what was taken out leaves its neighbours there.
  for (const line of changed) expect(named.flat()).toContain(line);
  for (const { quote, locations } of truth.errors)
    if (quote !== undefined) expect(copy[(locations[0]?.lines?.[0] ?? 0) - 1]?.trim()).toBe(quote);
});

it('makes a task of a fix: the parent has the error, the change says where', async () => {
  const git = (...words: string[]) => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    expect(spawnSync('git', [...identity, ...words], { cwd: at('repo') }).status).toBe(0);
  };
  mkdirSync(at('repo'));
  git('init', '-q');
  write('repo/src/a.py', 'def f(x):\n    y = x - 1\n    return y\n');
  git('add', '.');
  git('commit', '-qm', 'feat: add f');
  write('repo/src/a.py', 'def f(x):\n    y = x + 1\n    return y\n');
  git('commit', '-qam', 'fix: crash where the bound of f is off by one');
  const { PATH, HOME } = process.env;
  const seeded = await seedFromHistory({
    repository: at('repo'),
    folder: at('out'),
    tasks: 5,
    environment: { PATH, HOME },
  });
  const [{ task = '', truth = '' } = {}] = seeded.tasks;
  expect(importTruth(truth).truth).toMatchObject({
    draft: true,
    errors: [{ severity: 'CRITICAL', category: 'EDGE', locations: [{ file: 'src/a.py', lines: [2, 2] }] }],
  });
  expect(readFileSync(at(`out/documents/${task}/src/a.py`), 'utf8')).toContain('y = x - 1');
  // With runs it is an experiment as documented.
  write(`out/runs/v1/${task}/1.json`, { workflow: 'v1', task, run: '1', findings: [] });
  expect(readExperiment(at('out')).arms).toHaveLength(1);
});

it('fetches comments of a pull request through the gh of the user, and nothing else', () => {
  const comment = {
    path: 'a.ts',
    diff_hunk: '@@',
    body: 'leaks',
    user: { login: 'bot' },
    original_line: 3,
    pull_request_url: 'https://api/repos/o/r/pulls/12',
  };
  mkdirSync(at('bin'));
  writeFileSync(
    at('bin/gh'),
    `#!/bin/sh\necho "$@" >> ${at('calls')}\ncase "$*" in *comments*) echo '${JSON.stringify([[comment]])}';; *) echo '[[]]';; esac\n`,
  );
  chmodSync(at('bin/gh'), 0o755);
  const environment = { PATH: `${at('bin')}:${process.env.PATH}` };
  const imported = importPullRequest({ pullRequest: 'o/r#12', path: at('run.json'), environment });
  expect(imported).toMatchObject({ task: 'o/r#12', runs: [{ workflow: 'bot', findings: 1 }] });
  expect(readFileSync(at('calls'), 'utf8')).toMatch(
    /^api --paginate --slurp repos\/o\/r\/pulls\/12\/comments/,
  );
  expect(() => importPullRequest({ pullRequest: 'o/r#12; rm', path: at('x.json'), environment })).toThrow(
    /names no pull request/,
  );
});
