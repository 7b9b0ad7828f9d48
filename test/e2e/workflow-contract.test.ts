import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { assayIn } from '../command-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-contract-'));
  cpSync('examples/workflow', join(folder, 'a review'), { recursive: true });
  expect((await assay(...SCORE)).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

const assay = (...words: string[]) => assayIn(folder, words);

/** A folder with a space in its name: what is printed must still be one word to a shell. */
const TRUTH = ['--truth', 'a review/truth/webhook-relay.yaml'];
const SCORE = ['workflow', 'score', ...TRUTH, '--runs', 'a review/runs/review-1'];
const COMPARE = ['workflow', 'compare', 'a review/runs/review-1', 'a review/runs/review-2', ...TRUTH];

/** The next steps as Markdown lists them, ready to be copied. */
function nextSteps(markdown: string): string[] {
  return [...markdown.matchAll(/^- `(assay [^`]+)`$/gm)].map(([, line]) => line as string);
}

/** As a shell splits it. */
function wordsOf(line: string): string[] {
  const { stdout } = spawnSync('sh', ['-c', `assay() { printf '%s\\n' "$@"; }; ${line.split(' > ')[0]}`], {
    encoding: 'utf8',
  });
  return stdout.trimEnd().split('\n');
}

describe('every next step can be copied and works', () => {
  it.each([
    ['score', SCORE],
    [
      'score of one workflow of several',
      ['workflow', 'score', ...TRUTH, '--runs', 'a review/runs', '--workflow', 'review-2'],
    ],
    ['compare files', COMPARE],
    ['compare an experiment', ['workflow', 'compare', 'review-1', 'review-2', '--experiment', 'a review']],
    ['heatmap', ['workflow', 'heatmap', 'a review']],
    ['report of files', ['workflow', 'report', ...TRUTH, '--runs', 'a review/runs']],
    ['lint of files', ['workflow', 'lint', 'a review/truth', 'a review/runs']],
    ['history', ['workflow', 'history']],
  ] as const)('after %s', async (_, words) => {
    const { stdout } = await assay(...words, '--format', 'markdown');
    const steps = nextSteps(stdout);
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      const typed = wordsOf(step);
      const entry = COMMANDS.filter(
        ({ name }) => typed.slice(0, name.split(' ').length).join(' ') === name,
      ).toSorted((a, b) => b.name.length - a.name.length)[0];
      if (entry === undefined) throw new Error(`no command is called by ${step}`);
      const { command } = await entry.load();
      await parseArguments(command, typed.slice(entry.name.split(' ').length));
    }
    // The first step stands for the others: each is made of the same words.
    const [first] = steps.map(wordsOf);
    const { status, stderr } = await assay(...(first ?? []));
    expect({ status, stderr }).toMatchObject({ status: expect.toBeOneOf([0, 1, 2]) as number });
  });
});
