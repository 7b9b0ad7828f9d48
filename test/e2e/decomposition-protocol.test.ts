/** The documented protocol, word for word: a baseline, a changed prompt, a comparison, an approval. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProject, outputWith, type Project } from '../decomposition-project.ts';
import { LAUNCHER } from '../launcher.ts';

let project: Project;

/** A program that finds as many concepts as its prompt says. */
const PROGRAM = `import { readFileSync } from 'node:fs';
const words = readFileSync(process.env.ASSAY_PROMPT_FILE, 'utf8');
const id = Number(process.env.ASSAY_CASE_ID.slice(5));
const found = words.includes('sometimes') && id === 1 ? 8 : Number(/\\d+/.exec(words)?.[0] ?? 0);
const outputs = ${JSON.stringify(Array.from({ length: 11 }, (_, found) => outputWith({ found })))};
process.stdin.resume().on('end', () => console.log(JSON.stringify(outputs[found])));
`;

const write = (name: string, text: string) => project.write(name, text);
const words = (text: string) => write('prompts/decompose-concepts-v1.0.md', text);

beforeEach(() => {
  project = openProject();
  write(
    'package.json',
    '{\n    "name": "mine",\n    "version": "1.0.0",\n    "scripts": { "test": "true" }\n}\n',
  );
  expect(row('init', '--yes', '--measure', 'decomposition').status).toBe(0);
  write('extract.mjs', PROGRAM);
  write(
    'assay.config.yaml',
    project
      .read('assay.config.yaml')
      .replace('  # extractor: command', '  extractor: command')
      .replace(/ {2}# command: .*/, `  command: '"${process.execPath}" extract.mjs'`)
      .replace('  # prompt: decompose-concepts', '  prompt: decompose-concepts'),
  );
  words('Find 10 concepts.');
});
afterEach(() => project.close());

function spawned(program: string, argv: readonly string[]) {
  const bin = project.at('bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(`${bin}/assay`, `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`);
  chmodSync(`${bin}/assay`, 0o755);
  const PATH = `${bin}${delimiter}${process.env.PATH}`;
  const { status, stdout, stderr } = spawnSync(program, argv, {
    cwd: project.folder,
    encoding: 'utf8',
    env: { ...project.env, PATH },
  });
  return { status, stdout, stderr };
}

const row = (...argv: string[]) => spawned(process.execPath, [LAUNCHER, ...argv]);
const npmRow3 = (...argv: string[]) => spawned('npm', ['run', '--silent', 'test:row3', '--', ...argv]);
/** What the script does, in this process. */
const row3 = (...argv: string[]) => project.assay('run', ...argv);
const json = (...argv: string[]) => project.json('run', ...argv);

describe('npm run test:row3', () => {
  it('is a script that init adds, with the order and indentation of the file', () => {
    expect(project.read('package.json')).toBe(
      `${JSON.stringify({ name: 'mine', version: '1.0.0', scripts: { test: 'true', 'test:row3': 'assay decomposition run' } }, null, 4)}\n`,
    );
    expect(project.read('assay.config.yaml')).toMatch(/^ {2}gate:\n.*\n {4}guards: block$/m);
  });

  it('measures the configured program with the prompt, and sees what became of it', async () => {
    expect(npmRow3('--baseline').status).toBe(0);
    expect(project.readJson('.baseline.json').run).toMatchObject({
      prompt: 'decompose-concepts-v1.0',
      prompt_files: { 'decompose-concepts-v1.0': expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(npmRow3('--compare').status).toBe(0);
    words('Forget it.');
    const junk = await json('--compare');
    expect(junk.gate).toMatchObject({ verdict: 'blocked' });
    expect(junk.comparison.action).toMatch(/an investigation is mandatory/);
  });

  it('takes a version by name, and the newest one of the configured prompt', async () => {
    await row3('--baseline');
    expect(row('decomposition', 'prompt', 'new', 'decompose-concepts').status).toBe(0);
    write('prompts/decompose-concepts-v1.1.md', 'Find 9 concepts.');
    expect((await json('--prompt', 'decompose-concepts-v1.0')).run.prompt).toBe('decompose-concepts-v1.0');
    expect((await json('--compare')).run.prompt).toBe('decompose-concepts-v1.1');
  });

  it('never passes a prompt that changed and was not used', async () => {
    await row3('--baseline');
    words('Find 10 concepts. Please.');
    project.outputs('recorded', { found: 10 });
    for (const other of [
      ['--extractor', 'local'],
      ['--outputs', 'recorded'],
      // A name is a claim, and no use.
      ['--outputs', 'recorded', '--prompt', 'decompose-concepts-v1.0'],
    ]) {
      const { gate } = await json('--compare', ...other);
      expect(gate.verdict).not.toBe('passed');
      expect(gate.reasons.join()).toMatch(/decompose-concepts-v1\.0 changed since the baseline/);
    }
    expect((await json('--compare')).gate.verdict).toBe('passed');
  });

  it('lets a fall through that somebody approves, with every metric that fell, and nothing in the fail zone', async () => {
    await row3('--baseline');
    words('Find 8 concepts.');
    expect((await row3('--compare')).status).toBe(1);
    const approved = await json('--compare', '--approve', 'fewer concepts on purpose');
    expect(approved.gate.verdict).toBe('passed');
    expect(
      project.readJson('approvals.json').approvals.map(({ metric }: { metric: string }) => metric),
    ).toEqual(['decomposition/concept-recall', 'decomposition/overall', 'decomposition/relationship-recall']);
    words('Find 5 concepts.');
    expect((await row3('--compare', '--approve', 'on purpose')).status).toBe(1);
  });

  it('asks for a reason only where the fall is more than noise', async () => {
    await row3('--baseline');
    // One case of eight loses two of ten concepts: −2.5 points, and the interval over cases has room for none.
    words('Find 10 concepts, sometimes.');
    const noisy = await json('--compare');
    expect(noisy.gate.reasons.join()).not.toMatch(/Concept recall got worse by 2\.5/);
    expect(noisy.notes.join('\n')).toMatch(
      /Concept recall: −2\.5 points is within noise over 8 paired cases/,
    );
    expect(noisy.comparison.action).toBe('proceed normally');
  });
});
