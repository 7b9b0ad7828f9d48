/** The page for CI: the steps of its files, and of its table, run as a job would run them. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { installSource } from '../../src/cli/install-source.ts';
import { bareEnv } from '../bare-env.ts';
import { assayIn } from '../command-folder.ts';
import { addAssay, NO_REGISTRY, packInto } from '../installed-assay.ts';

const page = readFileSync('docs/ci.md', 'utf8');
const files = new Map(
  [...page.matchAll(/^```yaml\n# (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [name, text]),
);

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-ci-page-'));
  cpSync('examples/decomposition', folder, { recursive: true });
  cpSync('examples/workflow/truth/webhook-relay.yaml', at('truth.yaml'));
  cpSync('examples/workflow/runs/review-1', at('runs'), { recursive: true });
  for (const [name, runs] of [
    ['v1', 'review-1'],
    ['v2', 'review-2'],
  ])
    cpSync(`examples/workflow/runs/${runs}`, at(`${name}`), { recursive: true });
  mkdirSync(at('bin'));
  // What a job has of its own: installed packages, and an extractor whose outputs are there already.
  addAssay(folder);
  writeFileSync(at('bin/python'), '#!/bin/sh\ntest -d outputs\n', { mode: 0o755 });
  expect(run('npx --no-install assay decomposition baseline --outputs outputs').status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(line: string, cwd = folder) {
  const env = bareEnv(folder);
  return spawnSync('sh', ['-c', line], {
    cwd,
    encoding: 'utf8',
    env: {
      ...env,
      ...NO_REGISTRY,
      PATH: [at('bin'), env.PATH].join(delimiter),
      GITHUB_STEP_SUMMARY: at('summary.md'),
    },
  });
}

function expectDone(line: string, codes: readonly number[] = [0]): void {
  const { status, stdout, stderr } = run(line);
  expect(codes, `${line}\n${stdout}\n${stderr}`).toContain(status);
}

describe('docs/ci.md', () => {
  it('says how to add Assay to a project, and what runs it', () => {
    const project = at('project');
    mkdirSync(project);
    packInto(project);
    const [, block = ''] = /^## Add Assay to a project$[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const [, pack = '', install = ''] = block.split('\n');
    expect(pack).toMatch(/^npm pack \.\.\/assay --pack-destination vendor\b/);
    expect(page).toContain(`\`npm install --no-save ${installSource()}\``);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    for (const line of [install, 'rm -r node_modules', 'npm ci', 'npx --no-install assay --version'])
      expect(run(line, project)).toMatchObject({ status: 0 });
  });

  it('has a GitHub workflow whose steps work', { timeout: 120_000 }, () => {
    const { jobs } = parse(files.get('.github/workflows/assay.yml') ?? '') as {
      jobs: { quality: { steps: { run?: string }[] } };
    };
    const steps = jobs.quality.steps.flatMap(({ run: line }) => line ?? []);
    expect(steps.filter((line) => line.startsWith('npx --no-install assay '))).toHaveLength(2);
    for (const line of steps) expectDone(line);
    expect(readFileSync(at('assay.xml'), 'utf8')).toContain('<testsuites');
    expect(readFileSync(at('summary.md'), 'utf8')).toContain('Concept recall');
  });

  it('has a GitLab job whose steps work', { timeout: 120_000 }, () => {
    rmSync(at('assay.xml'), { force: true });
    const { assay } = parse(files.get('.gitlab-ci.yml') ?? '') as { assay: { script: string[] } };
    for (const line of assay.script) expectDone(line);
    expect(existsSync(at('assay.xml'))).toBe(true);
  });

  it('has steps for reviews and sessions that work, whatever they find', { timeout: 120_000 }, () => {
    const steps = [...page.matchAll(/^\|.*`(npx --no-install assay [^`]*)`/gm)].map(([, line = '']) => line);
    expect(steps).toHaveLength(3);
    for (const line of steps) expectDone(line, [0, 1, 2]);
  });
});

describe('the CI file that assay init writes', () => {
  const stepsOf = (project: string, ci: string): string[] => {
    const fileOf = (name: string) => parse(readFileSync(join(project, name), 'utf8'));
    if (ci === 'gitlab') return fileOf('.gitlab/assay.gitlab-ci.yml').assay.script;
    const { steps } = fileOf('.github/workflows/assay.yml').jobs.quality;
    return (steps as { run?: string }[]).flatMap(({ run: step }) => step ?? []);
  };

  it.each([
    ['github', 'dependency'],
    ['github', 'no package.json'],
    ['gitlab', 'dependency'],
    ['gitlab', 'no package.json'],
  ])('has steps that install Assay from the project and run it: %s, %s', async (ci, kind) => {
    const project = at(`${ci} ${kind}`);
    cpSync('examples/decomposition', project, { recursive: true });
    if (kind === 'dependency') addAssay(project);
    else packInto(project);
    rmSync(join(project, 'node_modules'), { recursive: true, force: true });
    expect((await assayIn(project, ['init', '--yes', '--ci', ci])).status).toBe(0);
    const steps = stepsOf(project, ci);
    expect(steps).toHaveLength(2);
    for (const step of steps) {
      const { status, stdout, stderr } = run(step, project);
      expect(status, `${step}\n${stdout}${stderr}`).toBe(0);
    }
    expect(readFileSync(join(project, 'assay.xml'), 'utf8')).toContain('<testsuites');
  });
});
