import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openProject, type Project } from '../decomposition-project.ts';

const KEY = 'sk-test-9f8e7d6c5b4a3210';

let project: Project;
beforeEach(() => {
  project = openProject();
});
afterEach(() => project.close());

/** Every file that a run left, as bytes. */
function everything(): string {
  const root = project.at('.');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

it('a key inside --command is in no history, store, cache, report or message', async () => {
  writeFileSync(
    project.at('extract.mjs'),
    `console.error('using ' + process.argv[3]);
     console.log(JSON.stringify({ concepts: [{ label: process.argv[3] }], relationships: [] }));`,
  );
  const command = ['--extractor', 'command', '--command', `${process.execPath} extract.mjs --api-key ${KEY}`];
  for (const format of ['table', 'json', 'html', 'markdown']) {
    const { stdout, stderr, status } = await project.assay('run', ...command, '--format', format);
    expect(status, stderr).not.toBe(3);
    expect(stdout).toContain('[key]');
    expect(stdout + stderr).not.toContain(KEY);
  }
  const left = everything();
  expect(left).toContain('--api-key [key]');
  expect(left).not.toContain(KEY);
});
