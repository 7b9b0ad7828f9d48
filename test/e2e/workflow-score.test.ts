import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandResult } from '../../src/testing/run-command.ts';
import { commandFolder } from '../command-folder.ts';

const EXAMPLE = resolve('examples/workflow');

const project = commandFolder();
const { write } = project;
const assay = (...words: string[]) => project.assay('workflow', ...words);

const place = (i: number) => ({ file: 'src/app.ts', lines: [20 * i, 20 * i + 2] });

function truth(count = 10, version = '1'): string {
  return write('truth.json', {
    task: 'T1',
    version,
    errors: Array.from({ length: count }, (_, i) => ({
      id: `E${i + 1}`,
      severity: (['CRITICAL', 'IMPORTANT', 'MINOR'] as const)[i % 3],
      category: 'EDGE',
      description: `error ${i + 1}`,
      locations: [place(i + 1)],
    })),
  });
}

/** Runs that find the errors given by number. */
function runs(workflow: string, ...found: number[][]): string {
  for (const [index, numbers] of found.entries()) {
    write(`runs/${workflow}/${index + 1}.json`, {
      workflow,
      task: 'T1',
      run: String(index + 1),
      model: 'm',
      findings: numbers.map((i) => ({ id: `F${i}`, title: `finding ${i}`, ...place(i) })),
    });
  }
  return `runs/${workflow}`;
}

const json = (result: CommandResult) => JSON.parse(result.stdout);

describe('assay workflow score', () => {
  it('scores runs against a ground truth and keeps the result', async () => {
    const result = await assay(
      'score',
      '--truth',
      truth(),
      '--runs',
      runs('v1', [1, 2, 3], [1, 2], [1, 2, 3, 4]),
      '--format',
      'json',
    );
    expect(result).toMatchObject({ status: 0, stderr: '' });
    const score = json(result);
    expect(score).toMatchObject({
      task: 'T1',
      matcher_version: 'workflow-4',
      runs: [
        { run: '1', metrics: { dr: 30, precision: 1, te: null }, counts: { matched: 3, missed: 7 } },
        { run: '2', metrics: { dr: 20 } },
        { run: '3', metrics: { dr: 40 } },
      ],
      across_runs: {
        dr: { value: 30, sd: { value: 10 }, n: 3 },
        found_any: { value: 40 },
        found_all: { value: 20 },
        fc: { value: 50 },
      },
      oes: { value: null },
    });
    expect(score.across_runs.dr.rs.value).toBeCloseTo(2 / 3, 12);
    expect(score.runs[0].matches[0]).toEqual({
      finding: 'F1',
      error: 'E1',
      strength: 'Y',
      criteria: ['file', 'lines'],
      chosen: true,
    });
    expect(score.runs[0].reasons.te).toMatch(/tokens/);
  });

  it('is printed when the store cannot take it, and then says why', async () => {
    const folder = write('folder.db/inside.json', {}).split('/')[0] ?? '';
    const words = ['score', '--truth', truth(), '--runs', runs('a', [1, 2]), '--store', folder];
    const { status, stdout, stderr } = await assay(...words);
    expect(stdout).toMatch(/^ {2}DR +20/m);
    expect(stderr).toContain('it is not in the store');
    expect(stderr).not.toContain('what is missing is added');
    expect(stderr).toContain('is a folder [STORE_UNREADABLE]');
    expect(status).toBe(3);
  });

  it('has exactly the documented rows and columns, with the stability line over all of them', async () => {
    const words = [
      ...[
        'score',
        '--truth',
        join(EXAMPLE, 'truth/webhook-relay.yaml'),
        '--runs',
        join(EXAMPLE, 'runs/review-2'),
      ],
      ...['--documents', join(EXAMPLE, 'documents/webhook-relay')],
    ];
    const { status, stdout, stderr } = await assay(...words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/Metric +Run 1 +Run 2 +Run 3 +Mean +StdDev +RS/);
    const rows = [...stdout.matchAll(/^ {2}(\w+) .* (\d\.\d\d|–)(?: {2}[A-Z][\w ]+)?$/gm)].slice(0, 16);
    const documented = [
      ...['DR', 'DR_critical', 'DR_important', 'WDS', 'TE', 'CE_layer_A', 'CE_layer_B', 'CE_layer_C'],
      ...['P', 'DIS', 'DQ', 'CC', 'FC', 'OES'],
    ];
    const names = [...stdout.matchAll(/^ {2}([A-Z]\w*) +(?=[\d–])/gm)].map(([, name = '']) => name);
    expect(names.filter((name) => documented.includes(name)).slice(0, documented.length)).toEqual(documented);
    expect(stdout).toMatch(/DR = \d+% ± \d+% \(RS = \d\.\d\d\) - (STABLE|MODERATE|UNSTABLE)/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    // The word is that of the least stable RS in the table, whichever row that is.
    const scored = json(await assay(...words, '--format', 'json'));
    const shown = rows.flatMap(([, , rs]) => (rs === '–' || rs === undefined ? [] : [Number(rs)]));
    const worst = Math.min(...shown);
    expect(scored.stability).toBe(worst > 0.8 ? 'STABLE' : worst >= 0.6 ? 'MODERATE' : 'UNSTABLE');
  });

  it('is no more stable than token efficiency, and says the word of the document on its lines', async () => {
    const spend = (tokens: readonly number[]) => {
      for (const [i, agent_tokens] of tokens.entries()) {
        const findings = [1, 2, 3, 4].map((n) => ({ id: `F${n}`, title: `finding ${n}`, ...place(n) }));
        const run = { workflow: 'v1', task: 'T1', run: String(i + 1), agent_tokens, workflow_tokens: 0 };
        write(`runs/v1/${i + 1}.json`, { ...run, findings });
      }
      return 'runs/v1';
    };
    const words = ['score', '--truth', truth(5), '--format', 'json', '--no-store', '--runs'];
    // Four of five found: exactly 80%, which is not over 80%; TE is steady, then anything but.
    const { across_runs, suite, stability } = json(await assay(...words, spend([18_000, 18_000, 18_000])));
    expect(across_runs.dr).toMatchObject({ value: 80, band: 'Good' });
    expect(suite.metrics.dr.zone).toBe('pass');
    expect(across_runs.te).toMatchObject({ value: 0.5, band: 'Moderate' });
    expect(suite.metrics.te.zone).toBe('pass');
    expect(stability).toBe('STABLE');
    const wild = json(await assay(...words, spend([1000, 100_000, 9000])));
    expect(wild.across_runs.te.rs.value).toBeLessThan(0.6);
    expect(wild.stability).toBe('UNSTABLE');
  });

  it('is inconclusive when there was nothing to find', async () => {
    expect(await assay('score', '--truth', truth(0), '--runs', runs('v1', [1]))).toMatchObject({ status: 2 });
  });

  it('blocks below a minimum, and only there', async () => {
    const words = ['score', '--truth', truth(), '--runs', runs('v1', [1, 2, 3])];
    expect((await assay(...words, '--min', 'dr=30,precision=0.9')).status).toBe(0);
    const blocked = await assay(...words, '--min', 'dr=31');
    expect(blocked.status).toBe(1);
    expect(blocked.stdout).toContain('✗ Blocked');
    expect((await assay(...words, '--min', 'te=0.1')).status).toBe(2);
    expect(await assay(...words, '--min', 'dz=1')).toMatchObject({ status: 3 });
  });

  it('refuses what does not belong together', async () => {
    runs('v1', [1]);
    runs('v2', [1]);
    const mixed = await assay('score', '--truth', truth(), '--runs', 'runs');
    expect(mixed.status).toBe(3);
    expect(mixed.stderr).toMatch(/2 workflows: v1, v2/);
    expect((await assay('score', '--truth', truth(), '--runs', 'runs', '--workflow', 'v2')).status).toBe(0);
    expect(
      (await assay('score', '--truth', truth(), '--runs', 'runs/v1/1.json', 'runs/v1/1.json')).stderr,
    ).toMatch(/twice/);
    expect((await assay('score', '--truth', truth())).stderr).toMatch(/needs a ground truth and runs/);
    const other = write('other.json', { workflow: 'v1', task: 'T2', run: '9', findings: [] });
    expect(await assay('score', '--truth', truth(), '--runs', other)).toMatchObject({
      status: 3,
      stdout: '',
    });
  });
});

describe('assay workflow compare', () => {
  const few = [[1], [1, 2], [1]];
  const many = [
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    [1, 2, 3, 4, 5, 6, 7, 8],
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  ];

  it('says in one line whether the new version is better', async () => {
    const { status, stdout } = await assay(
      'compare',
      runs('v1', ...few),
      runs('v2', ...many),
      '--truth',
      truth(),
    );
    expect(status).toBe(0);
    expect(stdout).toContain('v1 → v2: improved');
    expect(stdout).toContain('v2 is better than v1 (10 errors, 3 runs each)');
    expect(stdout.replaceAll(/\n +/g, ' ')).toContain('false alarms of that rule at 3 runs: 7.05%');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('blocks under --gate when it is worse, and is inconclusive when there are too few runs', async () => {
    const [a, b] = [runs('v1', ...few), runs('v2', ...many)];
    expect((await assay('compare', b, a, '--truth', truth(), '--gate')).status).toBe(1);
    expect((await assay('compare', b, a, '--truth', truth())).status).toBe(0);
    expect((await assay('compare', a, b, '--truth', truth(), '--gate')).status).toBe(0);
    const one = await assay('compare', 'runs/v1/1.json', 'runs/v2/*.json', '--truth', truth(), '--gate');
    expect(one.status).toBe(2);
    expect(one.stdout).toContain('Too few runs or errors');
  });

  it('compares what the store remembers by name, and refuses different truths unless it is told to insist', async () => {
    const [a, b] = [runs('v1', ...few), runs('v2', ...many)];
    await assay('score', '--truth', truth(), '--runs', a);
    await assay('score', '--truth', truth(), '--runs', b);
    expect(json(await assay('compare', 'v1', 'v2', '--format', 'json'))).toMatchObject({
      verdict: 'improved',
    });
    await assay('score', '--truth', truth(10, '2'), '--runs', b);
    const refused = await assay('compare', 'v1', 'v2');
    expect(refused.status).toBe(2);
    expect(refused.stdout).toContain('not comparable');
    expect(json(await assay('compare', 'v1', 'v2', '--insist', '--format', 'json'))).toMatchObject({
      verdict: 'improved',
    });
    expect((await assay('compare', 'v1', 'v3')).stderr).toMatch(/no score of a workflow "v3"/);
  });
});

describe('the examples of the help', () => {
  it.each(['lint', 'score', 'compare', 'blind start'])('of %s run as they stand', async (name) => {
    const { stdout } = await assay(...name.split(' '), '--help');
    // A long command goes on in the next line, as a shell reads it.
    const examples =
      stdout
        .replaceAll(/ \\\n +/g, ' ')
        .split(/^Examples?\n/m)[1]
        ?.match(/^ {2}assay .*$/gm) ?? [];
    expect(examples).not.toEqual([]);
    symlinkSync(resolve('examples'), join(project.path, 'examples'));
    for (const example of examples) {
      const words = example.trim().replace('assay workflow ', '').split(' ');
      const { status, stderr } = await assay(...words, ...(name === 'blind start' ? ['--by', 'ada'] : []));
      expect(`${example}: ${status} ${stderr}`).toBe(`${example}: 0 `);
    }
  });
});

it('names next steps with the paths it was given, ready for a shell', async () => {
  const { stdout } = await assay('score', '--truth', truth(), '--runs', runs('my flow', [1, 2]));
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    "Next: assay workflow heatmap --truth truth.json --runs 'runs/my flow'",
  );
});

it('compares reports that name no workflow by their paths', async () => {
  const issues = (lines: number[]) =>
    lines.map((begin) => ({
      description: 'x',
      check_name: 'c',
      fingerprint: `${begin}`,
      severity: 'minor',
      location: { path: 'src/app.ts', lines: { begin } },
    }));
  const [a, b] = [write('a.json', issues([20])), write('b.json', issues([20, 40]))];
  const { status, stdout } = await assay('compare', a, b, '--truth', truth(), '--format', 'json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    baseline: { workflow: 'a.json', runs: 1 },
    candidate: { workflow: 'b.json', runs: 1 },
    verdict: 'too few to tell',
    paired: { errors: 10, power: { errors_for_this: expect.any(Number) } },
  });
});
