import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { assayIn } from '../command-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const assay = (...words: string[]) => assayIn(folder, words);
const init = async (...words: string[]) =>
  JSON.parse((await assay('init', ...words, '--format', 'json')).stdout) as {
    written: string[];
    existing: string[];
  };

describe('assay init', () => {
  it('writes a configuration that works, a CI step and a line to ignore, and asks nothing of a pipe', async () => {
    expect((await init()).written).toEqual([
      'assay-schemas/golden-case.schema.json',
      'assay.config.yaml',
      '.github/workflows/assay.yml',
      '.gitignore',
    ]);
    expect((await assay('config')).stdout).toContain('assay.config.yaml');
    expect(read('.gitignore')).toBe('.assay/\n');
    expect(read('.github/workflows/assay.yml')).toContain('npx --no-install assay decomposition run');
  });

  it('writes a workflow that runs before a merge, before a deployment and by the week', async () => {
    await init('--yes', '--measure', 'decomposition', '--ci', 'github');
    const { on, jobs } = parse(read('.github/workflows/assay.yml'));
    expect(on).toEqual({ pull_request: null, workflow_call: null, schedule: [{ cron: '17 5 * * 1' }] });
    expect(jobs.quality.steps.map(({ run }: { run?: string }) => run ?? '').join()).toMatch(
      /assay decomposition run .*--format junit/,
    );
  });

  it('writes over nothing, and adds its line only once', async () => {
    writeFileSync(at('assay.config.json'), '{}');
    writeFileSync(at('.gitignore'), 'node_modules');
    writeFileSync(at('.gitlab-ci.yml'), 'test: {}\n');
    expect(await init()).toMatchObject({
      written: ['assay-schemas/golden-case.schema.json', '.gitlab/assay.gitlab-ci.yml', '.gitignore'],
      existing: ['assay.config.json'],
    });
    expect(read('.gitignore')).toBe('node_modules\n.assay/\n');
    expect(read('.gitlab-ci.yml')).toBe('test: {}\n');
    expect((await init()).written).toEqual([]);
  });

  it('leaves nothing behind when the text cannot be read', async () => {
    const { status, stderr } = await assay('init', '--yes', '--text', 'nowhere.txt');
    expect(status).toBe(3);
    expect(stderr).toContain('nowhere.txt does not exist');
    expect((await assay('config')).stdout).toContain('No configuration file');
  });

  it('goes on with steps that work as printed', async () => {
    const step = async (...words: string[]) =>
      /Next: assay (.*)/.exec((await assay('init', '--yes', ...words)).stdout)?.[1];
    expect((await step())?.split(' · ')).toEqual(['decomposition new --help', 'assay example']);
    expect((await step('--measure', 'workflow'))?.split(' · ')).toEqual([
      'workflow new --help',
      'assay example',
    ]);
    expect((await assay('decomposition', 'run')).stderr).toContain('assay decomposition new --help');
    writeFileSync(at('requirements.txt'), 'one==1\n');
    writeFileSync(at('marsh.txt'), 'Reed slows the water. Slow water drops silt.\n');
    expect(await step()).toBe('decomposition new marsh --text marsh.txt');
    expect((await assay('decomposition', 'new', 'marsh', '--text', 'marsh.txt')).status).toBe(0);
  });
});

describe('assay init with what the folder or the machine has', () => {
  it('drafts a ground truth from a review, and gates on that one', async () => {
    writeFileSync(at('review.md'), '1. `parse` does not check for null (src/parse.ts:12).\n');
    expect((await init('--yes', '--review', 'review.md')).written).toEqual([
      'truth/review.yaml',
      'assay-schemas/workflow-ground-truth.schema.json',
      'assay.config.yaml',
      '.github/workflows/assay.yml',
      '.gitignore',
    ]);
    expect(read('.github/workflows/assay.yml')).toContain('--truth truth/review.yaml');
    expect((await assay('workflow', 'lint', 'truth/review.yaml')).status).toBe(0);
    expect((await assay('init', '--yes', '--review', 'review.md')).stderr).toContain(
      'truth/review.yaml already',
    );
  });

  it('measures sessions where the folder says nothing else and an agent was at work', async () => {
    mkdirSync(at('.claude/projects/p'), { recursive: true });
    copyFileSync(
      'examples/session/shop/11111111-aaaa-4aaa-8aaa-000000000001.jsonl',
      at('.claude/projects/p/a.jsonl'),
    );
    const { stdout } = await assay('init', '--yes');
    expect(stdout).toContain('transcripts of Claude Code (1)');
    expect(stdout).toContain('Next: assay sessions score');
  });
});

it('a ground truth is drafted from a page that says neither who wrote it nor what about', async () => {
  writeFileSync(at('review.md'), '1. `parse` does not check for null (src/parse.ts:12).\n');
  expect((await assay('workflow', 'new', 'checkout.yaml', '--review', 'review.md')).status).toBe(0);
  expect(read('checkout.yaml')).toContain('task: checkout');
});

describe('a draft', () => {
  const draft = (...words: string[]) =>
    assay('decomposition', 'new', 'my-case', '--text', 'text.txt', ...words);
  beforeEach(() => {
    const { sourceText } = JSON.parse(readFileSync('golden/judicial-review.gold.json', 'utf8')) as {
      sourceText: string;
    };
    writeFileSync(at('text.txt'), sourceText);
  });

  it('has the form that lint asks for, and is never written over', async () => {
    const { findings } = JSON.parse((await draft('--format', 'json')).stdout) as { findings: unknown[] };
    expect(findings).toEqual([]);
    const before = read('golden/my-case.gold.json');
    const again = await draft();
    expect(again.status).toBe(3);
    expect(again.stderr).toContain('is there already');
    expect(read('golden/my-case.gold.json')).toBe(before);
  });

  it('turns no gate green, though what made it agrees with it, until somebody has taken the mark out', async () => {
    await draft();
    const run = (...words: string[]) =>
      assay('decomposition', 'run', '--no-semantic', '--min-cases', '1', '--leave-out', 'overall', ...words);
    const { status, stdout } = await run();
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('my-case is a draft that nobody has corrected');
    expect(status).toBe(2);
    // Neither does a comparison, of runs or of files.
    const saved = ['--format', 'json', '--out', 'a.json'];
    await run(...saved);
    await assay('decomposition', 'baseline', '--no-semantic', '--min-cases', '1', '--leave-out', 'overall');
    const compare = ['decomposition', 'compare', 'a.json', '--min-cases', '1', '--leave-out', 'overall'];
    expect((await assay(...compare)).status).toBe(2);
    writeFileSync(
      at('golden/my-case.gold.json'),
      read('golden/my-case.gold.json').replace(/\n {2}"draft": .*,/, ''),
    );
    expect((await run()).stdout).not.toContain('is a draft');
  });

  it('says what is wrong with a name, a domain or a text', async () => {
    const why = async (...words: string[]) => (await assay('decomposition', 'new', ...words)).stderr;
    expect(await why('My Case', '--text', 'text.txt')).toContain('lower-case words joined by hyphens');
    expect(await why('a', '--text', 'text.txt', '--domain', 'techical')).toContain(
      'did you mean "technical"',
    );
    writeFileSync(at('empty.txt'), ' ');
    expect(await why('a', '--text', 'empty.txt')).toContain('no concept was found');
  });
});
