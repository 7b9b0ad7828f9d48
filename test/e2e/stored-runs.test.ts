import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { judgeAgain } from '../../src/judge/judgement.ts';
import { openStore } from '../../src/store/open.ts';
import { workflowMetrics } from '../../src/workflow/catalog.ts';
import { gateFor } from '../../src/workflow/policy.ts';
import { commandFolder } from '../command-folder.ts';
import { type OutputParts, outputWith, writeGolden, writeOutputs } from '../decomposition-project.ts';

const folder = commandFolder();
const { assay } = folder;

beforeEach(() => {
  writeGolden(join(folder.path, 'golden'), 6);
  writeOutputs(join(folder.path, 'good'), { found: 9, costUsd: 0.01, model: 'm' }, 6);
  writeOutputs(join(folder.path, 'worse'), (i) => ({ found: i === 2 ? 4 : 7, canary: i === 3 }), 6);
});

/** What a command printed, and what the store gives back of it. */
async function twice(...words: string[]) {
  const { stdout } = await assay(...words, '--format', 'json');
  const { id } = JSON.parse(stdout).run;
  return { printed: stdout, stored: (await assay('runs', id, '--format', 'json')).stdout };
}

function repeat(name: string, of: (n: number) => OutputParts): void {
  mkdirSync(join(folder.path, name));
  for (let i = 1; i <= 6; i++)
    for (const n of [1, 2])
      writeFileSync(join(folder.path, name, `case-${i}.${n}.json`), JSON.stringify(outputWith(of(n))));
}

describe('a run leaves the store as it was printed', () => {
  it('of golden cases, with its names, lists, notes and trends', async () => {
    for (const outputs of ['good', 'good', 'worse']) {
      const { printed, stored } = await twice('decomposition', 'run', '--outputs', outputs);
      expect(stored).toBe(printed);
    }
    const { run, trends, cases } = JSON.parse(
      (await twice('decomposition', 'run', '--outputs', 'worse')).stored,
    );
    expect(run).toMatchObject({ extractor: 'recorded', prompt: null, model: null, match_level: 'alias' });
    expect(trends[0].points.length).toBeGreaterThan(1);
    expect(cases[1].notes.join()).toMatch(/^missed: /);
  });

  it('with a comparison, case by case', async () => {
    await assay('decomposition', 'baseline', '--outputs', 'good', '--baseline-file', 'base.json');
    const words = [
      '--outputs',
      'worse',
      '--baseline-file',
      'base.json',
      '--approve',
      'a try',
      '--reason',
      'a try',
    ];
    const { printed, stored } = await twice('decomposition', 'compare', ...words);
    expect(stored).toBe(printed);
    expect(JSON.parse(stored).comparison.cases).toHaveLength(6);
  });

  it('with repeats that differ, and with cases of which a part failed', async () => {
    repeat('repeats', (n) => ({ found: n === 1 ? 5 : 10 }));
    writeFileSync(join(folder.path, 'repeats/case-2.1.json'), '{"concepts": 3}');
    writeFileSync(join(folder.path, 'repeats/case-3.1.json'), 'no JSON');
    const { printed, stored } = await twice('decomposition', 'run', '--outputs', 'repeats');
    expect(stored).toBe(printed);
    expect(JSON.parse(stored).suite.metrics.concept_recall.spread).toBeGreaterThan(0);
  });

  it('of the bundled example', async () => {
    const { printed, stored } = await twice('example', '--store', '.local/share/assay/assay.db');
    expect(stored).toBe(printed);
  });

  it('of reviews, with every part of the score', async () => {
    const { printed, stored } = await scoreTwice();
    expect(stored).toBe(printed);
    expect(JSON.parse(stored)).toMatchObject({ task: 'webhook-relay', across_runs: { dr: { n: 3 } } });
  });

  it('and the list of runs has the same names', async () => {
    const { printed } = await twice('decomposition', 'run', '--outputs', 'good');
    const [listed] = JSON.parse((await assay('runs', '--format', 'json')).stdout);
    expect(listed.run).toEqual(JSON.parse(printed).run);
  });
});

async function scoreTwice() {
  const review = resolve('examples/workflow');
  const files = [
    '--truth',
    join(review, 'truth/webhook-relay.yaml'),
    '--runs',
    join(review, 'runs/review-1'),
  ];
  return twice('workflow', 'score', ...files, '--min', 'dr=30');
}

it('is judged again with other minimums, without anything it was made from', async () => {
  const { run, gate } = JSON.parse((await scoreTwice()).printed);
  expect(gate.verdict).toBe('passed');
  const store = await openStore(join(folder.path, '.local/share/assay/assay.db'));
  try {
    const record = await store.readRun(run.id);
    if (record?.judgement === undefined) throw new Error('it keeps what it was judged on');
    const other = gateFor(workflowMetrics(), new Map([['dr', 90]]));
    const again = judgeAgain({ ...record, judgement: record.judgement }, other);
    expect(again.gate.verdict).toBe('blocked');
  } finally {
    await store.close();
  }
});
