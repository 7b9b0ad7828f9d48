import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assayIn, commandFolder } from '../command-folder.ts';

const EXAMPLE = resolve('examples/workflow');
const TRUTH = join(EXAMPLE, 'truth/webhook-relay.yaml');

const project = commandFolder();
const { write } = project;
const assay = (...words: string[]) => project.assay('workflow', ...words);

const place = (i: number) => ({ file: 'src/app.ts', lines: [20 * i, 20 * i + 2] });

/** A ground truth with one error per category; runs find them by number. */
function task(name: string, categories: readonly string[]): string {
  return write(`truth/${name}.json`, {
    task: name,
    version: '1',
    errors: categories.map((category, i) => ({
      id: `E${i + 1}`,
      severity: 'IMPORTANT',
      category,
      description: `error ${i + 1}`,
      locations: [place(i + 1)],
    })),
  });
}

function run(workflow: string, name: string, id: number, found: readonly number[]): string {
  return write(`runs/${workflow}/${name}/${id}.json`, {
    workflow,
    task: name,
    run: String(id),
    findings: found.map((i) => ({ id: `F${i}`, title: `finding ${i}`, ...place(i) })),
  });
}

const widthOf = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('the bundled experiment, through every command', () => {
  it('is scored, compared and remembered', async () => {
    for (const workflow of ['review-1', 'review-2']) {
      const scored = await assay('score', '--truth', TRUTH, '--runs', join(EXAMPLE, 'runs', workflow));
      expect(scored).toMatchObject({ status: 0, stderr: '' });
    }
    const compared = await assay('compare', 'review-1', 'review-2', '--gate');
    expect(compared).toMatchObject({ status: 0, stderr: '' });
    expect(compared.stdout).toContain('review-1 → review-2');
    const history = await assay('history', '--format', 'json');
    expect(history).toMatchObject({ status: 0, stderr: '' });
    expect(
      JSON.parse(history.stdout).series.map(({ workflow, task: name, scores }: Record<string, unknown>) => [
        workflow,
        name,
        scores,
      ]),
    ).toEqual([
      ['review-2', 'webhook-relay', 1],
      ['review-1', 'webhook-relay', 1],
    ]);
  });

  it('has a heatmap: the documented table in Markdown, one that fits in a terminal', async () => {
    const markdown = await assay('heatmap', EXAMPLE, '--format', 'markdown');
    expect(markdown).toMatchObject({ status: 0, stderr: '' });
    expect(markdown.stdout).toContain(
      '| Workflow | SCOPE | ASSUME | SKIP | SHALLOW | CONFLICT | INTEGRATE | EDGE | DEPEND | PERF | SECURE | CC |',
    );
    const table = await assay('heatmap', '--experiment', EXAMPLE);
    expect(table.stdout).toMatch(/^ {2}SECURE +✓ 1\/1\* +✓ 1\/1\*$/m);
    expect(table.stdout).toContain('low, too few to call a blind spot');
    expect(table.stdout).not.toContain('BLIND SPOT');
    expect(widthOf(table.stdout)).toBeLessThanOrEqual(80);
  });

  it('has a report with experiments, errors, fixes and claims in 80 columns', async () => {
    const { status, stdout, stderr } = await assay('report', EXAMPLE);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/Workflow +Task +Runs +DR±σ +WDS±σ +TE +P +DQ +OES±σ +ID +Sig\?/);
    expect(stdout).toMatch(/review-2 .* Y$/m);
    for (const part of [
      'What to fix next',
      'What may be claimed',
      'Known errors across runs',
      'never found',
    ]) {
      expect(stdout).toContain(part);
    }
    expect(stdout).toMatch(/✗ not "generalises"/);
    expect(stdout).toMatch(/DR = \d+% ± \d+% \(RS = \d\.\d\d\) - (STABLE|MODERATE|UNSTABLE)/);
    expect(widthOf(stdout)).toBeLessThanOrEqual(80);
  });

  it('has a report in Markdown with the documented columns, in HTML with charts, and in JSON', async () => {
    const markdown = (await assay('report', EXAMPLE, '--format', 'markdown')).stdout;
    expect(markdown).toContain(
      '| Exp | Workflow | Task | Runs | DR±σ | WDS±σ | TE | P | DQ | OES±σ | ID | Sig? |',
    );
    expect(markdown).toContain('| Metric | Run 1 | Run 2 | Run 3 | Mean | StdDev | RS |');
    const html = (await assay('report', EXAMPLE, '--format', 'html')).stdout;
    // Three charts, each drawn wide and narrow: intervals, errors × runs, categories.
    expect(html.match(/<svg/g)?.length).toBe(6);
    const json = JSON.parse((await assay('report', EXAMPLE, '--format', 'json')).stdout);
    expect(json.experiments).toMatchObject([
      { exp: '001', workflow: 'review-1', runs: 3, id: { value: null, reason: 'this is the baseline' } },
      { exp: '002', workflow: 'review-2', runs: 3, significant: true, verdict: 'improved' },
    ]);
    expect(json.errors).toHaveLength(12);
  });

  it.each([
    ['experiments', 'exp,workflow,task,runs,dr,dr_sd,'],
    ['errors', 'task,error,severity,category,workflow,found,runs,credit,often'],
    ['categories', 'workflow,category,rate,detected,missed,errors,'],
    ['concerns', 'concern,workflow,layer,ce,points,methods,runs,low_value'],
    ['metrics', 'workflow,task,run,metric,value,reason'],
  ])('prints the table %s as CSV', async (table, header) => {
    const { status, stdout } = await assay('report', EXAMPLE, '--format', 'csv', '--table', table);
    expect(status).toBe(0);
    expect(stdout.startsWith(header)).toBe(true);
  });

  it('tells a request what a new version gained and lost, and points at the lost errors', async () => {
    const words = ['--experiment', EXAMPLE, '--gate', '--format', 'json', '--out', 'result.json'];
    expect((await assay('compare', 'review-2', 'review-1', ...words)).status).toBe(1);
    const env = { GITHUB_STEP_SUMMARY: join(project.path, 'summary.md') };
    const report = ['ci', 'report', 'result.json', '--on', 'github', '--truth', TRUTH, '--junit', 'j.xml'];
    const { status, stdout } = await assayIn(project.path, report, { env });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error file=.*webhook-relay\.yaml,line=\d+,title=lost-error::E2: /m);
    const summary = readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8');
    // The heaviest first, with what they are.
    expect(summary).toMatch(
      /\*\*Lost\*\*[\s\S]+\| E2 \| critical \| A queue [\s\S]+\*\*Gained\*\*[\s\S]+\| E9 \| minor/,
    );
    expect(readFileSync(join(project.path, 'j.xml'), 'utf8')).toContain('<failure message="worse');
  });

  it('is exported as SARIF that lint and score read back', async () => {
    const exported = await assay('export', EXAMPLE, '--workflow', 'review-2', '--out', 'findings.sarif');
    expect(exported).toMatchObject({ status: 0, stdout: '' });
    expect(exported.stderr).toMatch(/^\d+ confirmed findings\.\nWritten to findings\.sarif\.$/m);
    const log = JSON.parse(readFileSync(join(project.path, 'findings.sarif'), 'utf8'));
    expect(await assay('lint', TRUTH, 'findings.sarif')).toMatchObject({ status: 0, stderr: '' });
    const scored = await assay('score', '--truth', TRUTH, '--runs', 'findings.sarif', '--format', 'json');
    const { matches } = JSON.parse(scored.stdout).runs[0];
    const confirmed = log.runs[0].results.flatMap(
      ({ properties }: { properties: { error?: string } }, i: number) =>
        properties.error === undefined ? [] : [{ finding: `F${i + 1}`, error: properties.error }],
    );
    expect(confirmed.length).toBeGreaterThan(5);
    for (const pair of confirmed) expect(matches).toContainEqual(expect.objectContaining(pair));
  });
});

describe('assay workflow heatmap', () => {
  it('speaks of a blind spot from three tasks with the category on', async () => {
    for (const name of ['T1', 'T2', 'T3']) {
      task(name, ['EDGE', 'SECURE']);
      for (const id of [1, 2, 3]) run('v1', name, id, [1]);
    }
    const { status, stdout } = await assay('heatmap', '.');
    expect(status).toBe(0);
    expect(stdout).toContain('✗ v1: BLIND SPOT in SECURE 0/3*');
  });

  it('is inconclusive where no error is expected, and could not run without inputs', async () => {
    const truth = task('T1', []);
    expect(await assay('heatmap', '--truth', truth, '--runs', run('v1', 'T1', 1, []))).toMatchObject({
      status: 2,
    });
    expect(await assay('heatmap')).toMatchObject({ status: 3 });
    expect(await assay('heatmap', '--truth', truth)).toMatchObject({ status: 3 });
  });

  it('takes only the workflow that is named, and suggests the right one', async () => {
    const only = await assay('heatmap', EXAMPLE, '--workflow', 'review-1', '--format', 'csv');
    expect(only.stdout).not.toContain('review-2');
    const wrong = await assay('heatmap', EXAMPLE, '--workflow', 'review-3');
    expect(wrong.status).toBe(3);
    expect(wrong.stderr).toContain('review-2');
  });
});

describe('assay workflow report', () => {
  it('takes another baseline, and refuses one that is not there', async () => {
    const report = await assay('report', EXAMPLE, '--baseline', 'review-2', '--format', 'csv');
    expect(report.stdout).toMatch(/^001,review-1,.*,-29\.\d+,Y,/m);
    expect((await assay('report', EXAMPLE, '--baseline', 'nobody')).status).toBe(3);
  });

  it.each(['table', 'markdown', 'html'])('shows hostile names and titles as words in %s', async (format) => {
    const truth = write('truth.json', {
      task: '<b>T</b>',
      version: '1',
      errors: [
        {
          id: '<img src=x onerror=alert(1)>',
          severity: 'MINOR',
          category: 'EDGE',
          description: '<script>alert(2)</script>',
          locations: [place(1)],
        },
      ],
    });
    const runs = write('run.json', {
      workflow: '[x](javascript:alert(3))\u202e|<i>',
      task: '<b>T</b>',
      run: '`1`',
      findings: [{ id: 'F1', title: '<script>alert(4)</script>', ...place(1) }],
    });
    const { status, stdout } = await assay(
      'report',
      '--truth',
      truth,
      '--runs',
      runs,
      '--format',
      format,
      '--all',
    );
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/\u202e/);
    if (format !== 'table')
      expect(stdout.replace(/<script>[\s\S]*<\/script>\n<\/body>/, '')).not.toMatch(/<script|<img|<b>|<i>/);
    if (format === 'markdown') expect(stdout).not.toMatch(/(?<!\\)\]\(/);
    // A name that a shell would not take as one word is no part of a command to copy.
    expect(stdout).not.toContain('workflow export');
  });
});

describe('assay workflow history', () => {
  it('is inconclusive while nothing has been scored, and makes no store', async () => {
    const { status, stdout } = await assay('history');
    expect(status).toBe(2);
    expect(stdout).toContain('no score of a workflow yet');
    expect(existsSync(join(project.path, '.assay'))).toBe(false);
  });

  it('alerts on the third decline, and begins again with another ground truth', async () => {
    const score = async () =>
      expect((await assay('score', '--truth', 'truth/T1.json', '--runs', 'runs')).status).toBe(0);
    const history = async () =>
      JSON.parse((await assay('history', '--format', 'json', '--all')).stdout).series;
    task('T1', ['EDGE', 'EDGE', 'EDGE', 'EDGE', 'EDGE']);
    for (const found of [[1, 2, 3, 4], [1, 2, 3], [1, 2], [1]]) {
      run('v1', 'T1', 1, found);
      await score();
    }
    expect(await history()).toMatchObject([
      { workflow: 'v1', task: 'T1', scores: 4, metrics: { dr: { declines: 3, alert: true } } },
    ]);
    expect((await assay('history')).stdout).toContain('▲ Alert: Detection rate fell 3 runs in a row');
    task('T1', ['EDGE', 'EDGE', 'EDGE', 'EDGE']);
    await score();
    expect((await history()).map(({ scores }: { scores: number }) => scores)).toEqual([1, 4]);
    const latest = await assay('history');
    expect(latest.stdout).toContain('1 earlier series');
    expect(latest.stdout).not.toContain('Alert');
    expect((await assay('history', '--workflow', 'nobody')).status).toBe(3);
  });
});

describe('assay workflow export', () => {
  it('confirms nothing from one run, and writes nothing', async () => {
    const truth = task('T1', ['EDGE']);
    const { status, stderr } = await assay(
      'export',
      '--truth',
      truth,
      '--runs',
      run('v1', 'T1', 1, [1]),
      '--out',
      'f.sarif',
    );
    expect(status).toBe(2);
    expect(stderr).toContain('1 run confirms nothing');
    expect(existsSync(join(project.path, 'f.sarif'))).toBe(false);
  });

  it('asks for one workflow, and says when the file cannot be written', async () => {
    expect(await assay('export', EXAMPLE)).toMatchObject({ status: 3, stdout: '' });
    expect(
      await assay(
        'export',
        EXAMPLE,
        '--workflow',
        'review-1',
        '--out',
        join(EXAMPLE, 'experiment.yaml', 'f.sarif'),
      ),
    ).toMatchObject({
      status: 3,
    });
  });
});
