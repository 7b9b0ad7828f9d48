import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  blindCheck,
  blindErrors,
  blindFindings,
  blindMatches,
  blindStatus,
  blindVerification,
} from '../../src/api/schema/workflow-blind.ts';
import { readRuns } from '../../src/workflow/ingest/collect-runs.ts';
import { bareEnv } from '../bare-env.ts';
import { assayIn } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const TRUTH = {
  task: 'T1',
  version: '1',
  errors: [
    ['E1', 'SECURE', 'The token is written to the log', [10, 12]],
    ['E2', 'EDGE', 'An empty list breaks the total', [30, 33]],
    ['E3', 'PERF', 'A query runs inside a loop', [50, 52]],
  ].map(([id, category, description, lines]) => ({
    id,
    category,
    description,
    severity: 'IMPORTANT',
    locations: [{ file: 'plan.md', section: `Part ${id}`, lines }],
  })),
};

const finding = (id: string, title: string, lines: [number, number], category: string) => ({
  id,
  title,
  file: 'plan.md',
  lines,
  category,
});

const RUN = {
  workflow: 'review-v7',
  task: 'T1',
  run: 'run-one',
  findings: [
    {
      ...finding('f-token', 'A secret can be read', [11, 11], 'SECURE'),
      label: { match: 'Y', error: 'E1', by: 'other-model' },
    },
    finding('f-query', 'Slow with many rows', [51, 52], 'PERF'),
    finding('f-words', 'Wording is vague', [90, 91], 'SHALLOW'),
  ],
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-blind-'));
  write('truth.json', TRUTH);
  write('run.json', RUN);
});
afterEach(() => rmSync(home, { recursive: true }));

function write(name: string, content: unknown): string {
  writeFileSync(join(home, name), JSON.stringify(content));
  return name;
}

const blind = (step: string, words: string[] = [], stdin = '') =>
  assayIn(home, ['workflow', 'blind', step, ...words], { env: { USER: 'coordinator' }, stdin });

async function works(step: string, words: string[] = [], input?: string): Promise<string> {
  const { status, stdout, stderr } = await blind(step, words, input);
  expect(status, stderr).toBe(0);
  return stdout;
}

const PUBLISHED: Readonly<Record<string, z.ZodType>> = {
  assess: blindFindings,
  predict: blindErrors,
  match: blindMatches,
  status: blindStatus,
  verify: blindVerification,
  check: blindCheck,
};

/** As every step prints it: in the published shape, with nothing beside it. */
async function json<Shape>(step: string, words: string[] = []): Promise<Shape> {
  const printed: unknown = JSON.parse(await works(step, [...words, '--format', 'json']));
  expect(PUBLISHED[step]?.parse(printed)).toEqual(printed);
  return printed as Shape;
}

async function refused(step: string, words: string[], code: string): Promise<string> {
  const before = filesOfSession();
  const { status, stdout, stderr } = await blind(step, words);
  expect(status).toBe(3);
  expect(stdout).toBe('');
  expect(stderr).toContain(`[${code}]`);
  expect(filesOfSession()).toEqual(before);
  return stderr;
}

function filesOfSession(): string[] {
  return readdirSync(join(home, 'blind'))
    .toSorted()
    .map((name) => `${name}: ${readFileSync(join(home, 'blind', name), 'utf8')}`);
}

async function startAnew() {
  await works('start', ['--truth', 'truth.json', '--runs', 'run.json', '--out', 'blind']);
}

/** What several tests begin with, done once. */
const begun = mkdtempSync(join(tmpdir(), 'assay-begun-'));
afterAll(() => rmSync(begun, { recursive: true }));

async function once(name: string, make: () => Promise<void>): Promise<void> {
  const saved = join(begun, name);
  if (existsSync(saved)) cpSync(saved, home, { recursive: true });
  else {
    await make();
    cpSync(home, saved, { recursive: true });
  }
}

const start = () => once('start', startAnew);

async function startWithAda() {
  await once('ada', async () => {
    await start();
    await evaluate('ada');
  });
}

/** What an evaluator who works by script does: reads the list, writes a file. */
type Shown = { id: string; title: string };
const shownFindings = async () => (await json<{ findings: Shown[] }>('assess', ['--list'])).findings;

async function assessFile(by: string): Promise<string> {
  const answers = (await shownFindings()).map(({ id, title }) => ({
    finding: id,
    ...(title === 'Wording is vague'
      ? { judgement: 'NO_ERROR' }
      : { judgement: 'ERROR', error: `${by} says: ${title}` }),
    evidence: 'the lines',
    confidence: 'HIGH',
  }));
  return write(`${by}-assess.json`, { assessments: answers });
}

async function predictFile(by: string): Promise<string> {
  const { errors } = await json<{ errors: { id: string }[] }>('predict', ['--list', '--by', by]);
  return write(
    `${by}-predict.json`,
    errors.map(({ id }) => ({ error: id, prediction: 'YES', why: `${by} thinks so` })),
  );
}

type Labels = Record<string, { match: string; error?: string }>;
const AS_CRITERIA: Labels = {
  'A secret can be read': { match: 'Y', error: 'E1' },
  'Slow with many rows': { match: 'Y', error: 'E3' },
  'Wording is vague': { match: 'FALSE' },
};

async function matchFile(by: string, labels: Labels = AS_CRITERIA): Promise<string> {
  const { findings } = await json<{ findings: Shown[] }>('match', ['--list', '--by', by]);
  const answers = findings.map(({ id, title }) => ({
    finding: id,
    ...labels[title],
    reason: `${by} compared`,
  }));
  return write(`${by}-match.json`, { matches: answers });
}

async function evaluate(by: string, labels?: Labels) {
  await works('assess', ['--by', by, '--file', await assessFile(by)]);
  await works('predict', ['--by', by, '--file', await predictFile(by)]);
  await works('match', ['--by', by, '--file', await matchFile(by, labels)]);
}

describe('a blind evaluation by script', () => {
  it('goes through four steps, and its labels come out as run files that can be scored', async () => {
    await startWithAda();
    await evaluate('bob');
    const check = await json<{
      flagged: boolean;
      evaluators: { name: string; predictions: { brier: unknown } }[];
    }>('check');
    expect(check.evaluators.map(({ name }) => name)).toEqual(['ada', 'bob']);
    // YES for E1, E2, E3; E1 and E3 are matched: (0 + 1 + 0) / 3.
    expect(check.evaluators[0]?.predictions.brier).toMatchObject({ value: 1 / 3, n: 3 });
    expect(check.flagged).toBe(false);
    await works('export', ['--out', 'labelled']);
    const [run] = readRuns([join(home, 'labelled')]);
    expect(run).toMatchObject({ workflow: 'review-v7', run: 'run-one', task: 'T1' });
    const labels = run?.findings.map(({ id, labels }) => [
      id,
      labels.map(({ by, match, error }) => [by, match, error]),
    ]);
    expect(labels).toContainEqual([
      'f-token',
      [
        ['ada', 'Y', 'E1'],
        ['bob', 'Y', 'E1'],
      ],
    ]);
  });

  it('begins without a user name, and sees what contradicts a sealed judgement', async () => {
    const { status, stderr } = await assayIn(home, [
      ...['workflow', 'blind', 'start', '--truth', 'truth.json', '--runs', 'run.json'],
    ]);
    expect(status, stderr).toBe(0);
    await evaluate('ada', { ...AS_CRITERIA, 'Wording is vague': { match: 'Y', error: 'E2' } });
    const { status: found, stdout } = await blind('check', ['--gate']);
    expect(found).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /ada judged F\d+ blind as no error \(high confidence\), then labelled it Y E2\./,
    );
  });

  it('prints the check for people, in Markdown and in HTML', async () => {
    await startWithAda();
    const text = await works('check');
    expect(text).toContain('No sign of bias in 1 evaluator over 3 findings.');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(await works('check', ['--format', 'markdown'])).toContain('**Predictions against detection**');
    expect(await works('check', ['--format', 'html'])).toContain('<!doctype html>');
  });

  it('gates on signs of bias when asked to', async () => {
    await start();
    await evaluate('ada', { ...AS_CRITERIA, 'Slow with many rows': { match: 'FALSE' } });
    const { status, stdout } = await blind('check', ['--gate']);
    expect(status).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('ada predicted YES for E3, then was strict with');
    expect((await blind('check')).status).toBe(0);
  });

  it('sends a disagreement to a third evaluator and keeps all three labels', async () => {
    await startWithAda();
    await evaluate('bob', { ...AS_CRITERIA, 'A secret can be read': { match: 'FALSE' } });
    expect(await works('status')).toContain('1 disputed finding');
    expect(await refused('check', [], 'BLIND_ORDER')).toContain('third label');
    await works('assess', ['--by', 'cay', '--file', await assessFile('cay')]);
    await works('predict', ['--by', 'cay', '--file', await predictFile('cay')]);
    const asked = await json<{ scope: string; findings: Shown[] }>('match', ['--list', '--by', 'cay']);
    expect(asked).toMatchObject({ scope: 'disputes', findings: [{ title: 'A secret can be read' }] });
    await works('match', ['--by', 'cay', '--file', await matchFile('cay')]);
    await works('export', ['--out', 'labelled']);
    const [run] = readRuns([join(home, 'labelled')]);
    const disputed = run?.findings.find(({ id }) => id === 'f-token');
    expect(disputed?.labels.map(({ by, match }) => `${by} ${match}`)).toEqual([
      'ada Y',
      'bob FALSE',
      'cay Y',
    ]);
  });
});

describe('enforcement', () => {
  it('shows findings first, without a label, a run name or a statement', async () => {
    await start();
    const shown =
      (await works('assess', ['--list', '--all'])) +
      (await works('assess', ['--list', '--format', 'json'])) +
      (await works('status'));
    for (const secret of ['token is written', 'E1', 'review-v7', 'run-one', 'f-token', 'other-model'])
      expect(shown).not.toContain(secret);
  });

  it('refuses to look ahead or to skip, and leaves the chain as it was', async () => {
    await start();
    for (const words of [['--list'], ['--list', '--format', 'json'], []]) {
      expect(await refused('predict', ['--by', 'ada', ...words], 'BLIND_ORDER')).toContain(
        'step 1 (assess) of ada is not sealed',
      );
      expect(await refused('match', ['--by', 'ada', ...words], 'BLIND_ORDER')).not.toContain('statement');
    }
    await works('assess', ['--by', 'ada', '--file', await assessFile('ada')]);
    expect(await refused('match', ['--by', 'ada', '--list'], 'BLIND_ORDER')).toContain(
      'step 2 (predict) of ada is not sealed',
    );
    // What ada may see now, bob may not.
    await refused('predict', ['--by', 'bob', '--list'], 'BLIND_ORDER');
    await refused('check', [], 'BLIND_ORDER');
    await refused('export', ['--out', 'labelled'], 'BLIND_ORDER');
    expect((await blind('verify')).status).toBe(0);
  });

  it('never shows an evaluator what another one answered before the results are open', async () => {
    await startWithAda();
    await works('assess', ['--by', 'bob', '--file', await assessFile('bob')]);
    const seen = [
      await works('predict', ['--by', 'bob', '--list', '--format', 'json']),
      await works('status', ['--format', 'json']),
      await works('verify', ['--format', 'json']),
    ];
    await works('predict', ['--by', 'bob', '--file', await predictFile('bob')]);
    seen.push(await works('match', ['--by', 'bob', '--list', '--format', 'json']));
    for (const text of seen)
      for (const own of ['ada says', 'ada thinks', 'ada compared']) expect(text).not.toContain(own);
    expect(await refused('check', [], 'BLIND_ORDER')).toContain('bob has not sealed step 3');
    await works('check', ['--without', 'bob']);
    await refused('match', ['--by', 'bob', '--file', await matchFile('bob')], 'BLIND_ORDER');
  });
});

describe('several evaluators at once', () => {
  it('lose no answer and break no chain', async () => {
    await start();
    const names = Array.from({ length: 4 }, (_, i) => `evaluator-${i}`);
    const findings = await shownFindings();
    // Each evaluator gives one answer per process, all processes at the same time.
    const jobs = names.flatMap((by) =>
      findings.map(({ id }) => {
        const file = write(`${by}-${id}.json`, [{ finding: id, judgement: 'CANNOT_TELL' }]);
        return ['workflow', 'blind', 'assess', '--by', by, '--file', file];
      }),
    );
    const codes = await Promise.all(
      jobs.map(
        (words) =>
          new Promise((done) => {
            spawn(process.execPath, [LAUNCHER, ...words], {
              cwd: home,
              env: { ...bareEnv(home), USER: 'coordinator' },
              stdio: 'ignore',
            }).on('exit', done);
          }),
      ),
    );
    expect(codes).toEqual(jobs.map(() => 0));
    expect((await blind('verify')).status).toBe(0);
    const { evaluators, entries } = await json<{
      entries: number;
      evaluators: { assess: { done: number; sealed_in: number } }[];
    }>('status');
    expect(evaluators).toHaveLength(4);
    for (const { assess } of evaluators)
      expect(assess).toMatchObject({ done: 3, sealed_in: expect.any(Number) });
    // The start, one entry per answer, one seal per evaluator.
    expect(entries).toBe(1 + 12 + 4);
  });
});

describe('a person at the keyboard', () => {
  it('answers line by line, may stop, and goes on later', async () => {
    await start();
    const by = ['--by', 'ada', '--interactive'];
    const first = await blind('assess', by, 'e\nleak\nline 11\nh\nq\n');
    expect(first.status).toBe(0);
    expect(first.stderr).toContain('1 of 3');
    expect(first.stdout).toContain('Kept. To be answered before step 1 is sealed');
    expect(await works('status')).toContain('1/3');
    expect(await works('assess', by, 'x\nn\ntaste\nl\n')).toContain('Sealed. Receipt');
    expect(await works('predict', by, 'y\neasy\nm\nperhaps\nx\n')).toContain('Sealed. Receipt');
    const match = await blind('match', by, 'b\nreal\nf\nwrong\ny\nE1\nsame line\n');
    expect(match.stdout).toContain('Sealed. Receipt');
    expect(match.stderr).toContain('full by file, lines');
    expect((await blind('check')).status).toBe(0);
  });

  it('is never asked when the input is not a terminal', async () => {
    await start();
    const { status, stdout, stderr } = await blind('assess', ['--by', 'ada'], 'x\nx\nx\n');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('3 findings to assess');
    expect(await works('status')).toContain('0 evaluators');
  });
});
