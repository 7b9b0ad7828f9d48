import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProject, type Project, type RunJson } from '../decomposition-project.ts';

let project: Project;
beforeAll(() => {
  project = openProject(5);
  // Recall 0.8, everything else 1, overall 0.8.
  project.outputs('good', { found: 8 }, 5);
  project.outputs('worse', { found: 7 }, 5);
});
afterAll(() => project.close());

const QUIET = ['--no-semantic', '--no-history'] as const;
const run = (...words: string[]) => project.assay('run', '--outputs', 'good', ...QUIET, ...words);

describe('a standard of your own', () => {
  it('blocks below your line where the documented one is met, and says whose line it is', async () => {
    expect((await run()).status).toBe(0);
    const { status, stdout } = await run('--min', 'concept_recall=0.85', '--min', 'concept_precision=0.9');
    expect(status).toBe(1);
    expect(stdout).toMatch(/Blocked, by your standard/);
    expect(stdout).toContain('below 85.0% (60.0%)');
  });

  it('names what it goes without in its first line, and warns', async () => {
    const { status, stdout } = await run(
      '--leave-out',
      'provenance_coverage',
      '--leave-out',
      'hallucination_rate',
    );
    expect(status).toBe(0);
    const [first = ''] = stdout.split('\n\n').slice(1);
    expect(first.replaceAll('\n', ' ')).toMatch(
      /Passed, by your standard without Provenance coverage and Hallucination rate: .*1 warning: your standard/,
    );
  });

  it('leaves as JSON and JUnit with what is yours beside what is documented', async () => {
    const {
      run: named,
      suite,
      gate,
    } = (await project.json(
      'run',
      ...[
        '--outputs',
        'good',
        ...QUIET,
        '--min',
        'concept_recall=0.5',
        '--leave-out',
        'relationship_accuracy',
      ],
    )) as RunJson & { suite: { yours: unknown }; run: { standard: string } };
    expect(named.standard).toMatch(/^own\./);
    expect(suite.yours).toMatchObject({
      left_out: ['relationship_accuracy'],
      lines: { concept_recall: { yours: { fail: 0.5 }, documented: { fail: 0.6 } } },
    });
    expect(gate.checks).toContainEqual(expect.objectContaining({ id: 'standard', outcome: 'warning' }));
    expect((await run('--leave-out', 'overall', '--format', 'junit')).stdout).toContain(
      'Overall score is excluded',
    );
  });

  it('comes from the configuration as well, and a word on the command line goes before it', async () => {
    project.write('own.json', '{"decomposition":{"gate":{"lines":{"concept_recall":0.9},"minCases":6}}}');
    expect((await run('--config', 'own.json')).status).toBe(1);
    expect((await run('--config', 'own.json', '--min', 'concept_recall=0.7')).status).toBe(2);
    expect(
      (await run('--config', 'own.json', '--min', 'concept_recall=0.7', '--min-cases', '5')).status,
    ).toBe(0);
  });

  it('may have domains and predicates of its own, in any spelling of the outputs', async () => {
    const other = openProject(5);
    for (const i of [1, 2, 3, 4, 5]) {
      const name = `golden/case-${i}.gold.json`;
      other.write(name, other.read(name).replaceAll('CAUSES', 'TREATS').replace('technical', 'medical'));
    }
    other.outputs('good', { found: 8 }, 5);
    for (const i of [1, 2, 3, 4, 5])
      other.write(`good/case-${i}.json`, other.read(`good/case-${i}.json`).replaceAll('CAUSES', 'treats'));
    const measure = (...words: string[]) => other.assay('run', '--outputs', 'good', ...QUIET, ...words);
    expect((await measure()).stderr).toContain('domain');
    other.write(
      'assay.config.json',
      '{"decomposition":{"golden":{"domains":["medical"],"predicates":["TREATS"],"concepts":[5,10],"relationships":[5,10]}}}',
    );
    expect((await measure()).status).toBe(0);
    expect((await measure()).stdout).toMatch(/Relationship accuracy +100.0%/);
    const { stdout } = await other.assay('lint');
    expect(stdout).toContain('The rules are yours');
    expect(stdout).not.toContain('no technical case');
    other.close();
  });

  it('is refused where it could not be meant so', async () => {
    const why = async (...words: string[]) => {
      const { status, stderr } = await run(...words);
      expect(status).toBe(3);
      return stderr;
    };
    expect(await why('--min', 'concept_recal=0.8')).toContain('did you mean "concept_recall"');
    expect(await why('--min', 'concept_recall=80')).toContain('for 80 percent write 0.8');
    expect(await why('--min', 'hallucination_rate=0.1')).toContain('--max hallucination_rate=0.1');
    const six =
      'concept_recall,concept_precision,relationship_accuracy,provenance_coverage,hallucination_rate,overall';
    expect(await why('--leave-out', six)).toContain('leaves no metric in the gate');
  });

  it('cannot quietly replace the one that the baseline was held to', async () => {
    await project.assay('baseline', '--outputs', 'good', ...QUIET, '--baseline-file', 'kept.json');
    const compare = (...words: string[]) =>
      project.assay('compare', '--outputs', 'worse', ...QUIET, '--baseline-file', 'kept.json', ...words);
    // Recall fell by ten points.
    expect((await compare()).status).toBe(1);
    const other = await compare('--leave-out', 'overall', '--min', 'concept_recall=0.1');
    expect(other.status).toBe(2);
    expect(other.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /the baseline was held to the standard documented, this run to own\./,
    );
    expect((await compare('--leave-out', 'overall', '--insist')).status).toBe(1);
  });

  it('is in the history, and a trend says when it changed', async () => {
    for (const words of [[], [], ['--leave-out', 'overall']])
      await project.assay('run', '--outputs', 'good', '--no-semantic', '--history', 'h.json', ...words);
    const { runs } = project.readJson('h.json') as { runs: { standard: string }[] };
    expect(runs.map(({ standard }) => standard)).toEqual([
      'documented',
      'documented',
      expect.stringMatching(/^own\./),
    ]);
    const { stdout } = await project.assay('trend', '--history', 'h.json');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('on held to the standard own.');
  });
});
