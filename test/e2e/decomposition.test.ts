import { spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import {
  madeWith,
  openProject,
  outputWith,
  type Project,
  type RunJson,
  type writeOutputs,
} from '../decomposition-project.ts';
import { LAUNCHER } from '../launcher.ts';

const IDS = [
  'concept_precision',
  'concept_recall',
  'concept_f1',
  'relationship_accuracy',
  'provenance_coverage',
  'hallucination_rate',
  'overall',
  'overall_attainable',
  'verified_provenance',
  'relationship_recall',
  'relationship_f1',
  'required_recall',
  'duplicate_rate',
];

let project: Project;
beforeEach(() => {
  project = openProject();
});
afterEach(() => project.close());

const assay = (...words: string[]) => project.assay(...words);
const json = (...words: string[]) => project.json(...words);

describe('a run', () => {
  it('prints every documented metric with value, interval, n and zone, and ends as the gate says', async () => {
    project.outputs('outputs', { found: 8, model: 'm', promptVersion: 'v1.0' });
    const run = await json('run', '--outputs', 'outputs');
    expect(Object.keys(run.suite.metrics)).toEqual(expect.arrayContaining(IDS));
    expect(run.suite).toMatchObject({ n_cases: 8, truth_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    for (const id of IDS) {
      expect(run.suite.metrics[id], id).toEqual(
        expect.objectContaining({ n: 8, value: expect.any(Number), zone: run.suite.metrics[id]?.zone }),
      );
      expect(run.suite.metrics[id]).toHaveProperty('micro');
      expect(run.suite.metrics[id]).toHaveProperty('low');
      expect(run.suite.metrics[id]).toHaveProperty('high');
    }
    // 0.25 × 0.8 + 0.2 + 0.2 + 0.2
    expect(run.suite.metrics.overall?.value).toBeCloseTo(0.8, 12);
    expect(run.suite.metrics.overall_attainable?.value).toBeCloseTo(0.95, 12);
    expect(run.suite.metrics.required_recall?.value).toBe(1);
    expect(run.suite.metrics.relationship_recall?.value).toBeCloseTo(7 / 9, 12);
    expect(run.run).toMatchObject({ subject: 'recorded m v1.0', prompt: 'v1.0' });
    expect(run.gate).toMatchObject({ verdict: 'passed', exit_code: 0, reasons: [] });
    expect(run.cases[0]).toMatchObject({
      id: 'case-1',
      missed: ['timber', 'walnut'],
      extra: [],
      canaries: [],
      zone: 'pass',
    });
    expect(run.cases[0]?.matches).toContainEqual({ label: 'glacier', expected: 'glacier', level: 'exact' });
    expect((await assay('run', '--outputs', 'outputs')).status).toBe(0);
  });

  it('warns about canaries and forbidden relationships, and names them', async () => {
    project.outputs('outputs', (i) => ({ found: 10, canary: i === 3, forbidden: i === 4 }));
    const run = await json('run', '--outputs', 'outputs');
    expect(run.gate).toMatchObject({ verdict: 'passed', exit_code: 0 });
    // One of eleven concepts of a case is more than its five in a hundred.
    expect(run.gate.reasons).toEqual([
      expect.stringMatching(/^1 case failed: case-3 \(Hallucination rate\)$/),
      expect.stringMatching(/^Hallucination rate is worse/),
      expect.stringMatching(/^Forbidden relationships is worse/),
    ]);
    expect(run.cases[2]).toMatchObject({ canaries: ['phantom tide'] });
    expect(run.cases[3]).toMatchObject({
      forbidden_relationships: [{ source: 'walnut', target: 'glacier', predicate: 'CAUSES' }],
    });
    const { stdout } = await assay('run', '--outputs', 'outputs');
    expect(stdout).toContain('case-3: phantom tide');
    expect(stdout).toContain('case-4: walnut CAUSES glacier');
  });

  it('blocks with exit code 1 when a metric is in the fail zone, a case errored, or an output is missing', async () => {
    project.outputs('low', { found: 5 });
    expect((await json('run', '--outputs', 'low')).gate).toMatchObject({
      exit_code: 1,
      reasons: [
        expect.stringMatching(/^8 cases failed: case-1/),
        'Concept recall is in the fail zone',
        expect.stringMatching(/^Relationship recall is worse than the warning line/),
      ],
    });
    project.outputs('broken', { found: 10 });
    writeFileSync(project.at('broken/case-2.json'), '{ "concepts": 7 }');
    rmSync(project.at('broken/case-5.json'));
    const run = await json('run', '--outputs', 'broken');
    expect(run.gate.exit_code).toBe(1);
    expect(run.gate.reasons.join('\n')).toMatch(/case-2.*concepts[\s\S]*case-5.*does not exist/);
    // Six of eight answered in full: the other two found nothing of what was asked for.
    expect(run.suite.metrics.concept_recall).toMatchObject({ value: 0.75, n: 8 });
    expect((await assay('run', '--outputs', 'broken')).status).toBe(1);
  });

  it('needs golden cases that keep the schema and no more, and says what speaks against them', async () => {
    const golden = JSON.parse(project.read('golden/case-1.gold.json'));
    mkdirSync(project.at('odd'));
    const edges = [{ source: 'glacier', target: 'nowhere', predicate: 'CAUSES' }];
    const odd = { ...golden, id: 'odd', expectedRelationships: edges, forbiddenConcepts: ['Walnuts'] };
    writeFileSync(project.at('odd/odd.gold.json'), JSON.stringify(odd));
    mkdirSync(project.at('outputs'));
    writeFileSync(project.at('outputs/odd.json'), JSON.stringify(outputWith({ found: 10 })));
    const run = await json('run', '--golden', 'odd', '--outputs', 'outputs');
    expect(run.cases[0]).toMatchObject({ id: 'odd', canaries: ['Walnuts'] });
    expect(run.suite.metrics.concept_recall).toMatchObject({ value: 0.9, micro: 0.9 });
    expect(run.suite.metrics.relationship_recall).toMatchObject({ value: 0 });
    expect(run.notes.join('\n')).toMatch(
      /"nowhere" is no expected concept.*\(and 1 more\); .*lint odd lists all/,
    );
  });

  it('ends with commands that measure the same again', async () => {
    project.outputs('my outputs', { found: 10 });
    cpSync(project.at('golden'), project.at('cases'), { recursive: true });
    const { stdout } = await assay(
      'run',
      '--golden',
      'cases',
      '--outputs',
      'my outputs',
      '--match-level',
      'exact',
    );
    const same = "--golden cases --outputs 'my outputs' --match-level exact";
    const typed = stdout.replaceAll(/ \\\n +/g, ' ');
    expect(typed).toContain(`Next: assay decomposition investigate ${same}\n`);
    expect(typed).toContain(`assay decomposition baseline ${same}\n`);
    const saved = (await assay('baseline', '--outputs', 'my outputs', '--baseline-file', 'b.json')).stdout;
    expect(saved).toContain("assay decomposition compare --baseline-file b.json --outputs 'my outputs'\n");
    writeFileSync(project.at('r.json'), JSON.stringify(await json('run', '--outputs', 'my outputs')));
    expect((await assay('compare', 'b.json', 'r.json')).stdout.replaceAll(/ \\\n +/g, ' ')).toContain(
      'Next: assay decomposition compare b.json r.json --format html --out comparison.html\n',
    );
  });

  it('judges a case and an action by the overall score that the gate uses', async () => {
    project.outputs('before', { found: 10 });
    await assay('baseline', '--outputs', 'before');
    mkdirSync(project.at('outputs'));
    // 0.25 × 0.8 + 0.2 × 0.8 + 0.2 × 0.7 + 0.1 × 0.9 = 0.59 documented, 0.84 attainable.
    for (let i = 1; i <= 8; i++) {
      const { concepts, relationships } = outputWith({ found: 8 }) as Record<string, object[]>;
      const extra = [{ label: 'spoon' }, { label: 'fork', sourceQuote: 'There is a glacier of which' }];
      const wrong = ['IS_A', 'PRECEDES', 'REQUIRES'].map((predicate) => {
        return { source: 'glacier', target: 'harbour', predicate };
      });
      writeFileSync(
        project.at(`outputs/case-${i}.json`),
        JSON.stringify({
          concepts: [...(concepts ?? []), ...extra],
          relationships: [...(relationships ?? []), ...wrong],
        }),
      );
    }
    writeFileSync(
      project.at('own.config.json'),
      '{ "decomposition": { "overallScale": "attainable", "weights": { "recall": 0.25, "precision": 0.2, "relationshipAccuracy": 0.2, "provenance": 0.1, "hallucinationPenalty": 0.25 } } }',
    );
    const run = await json('compare', '--outputs', 'outputs', '--config', 'own.config.json', '--insist');
    expect(run.suite.metrics.overall).toMatchObject({ zone: 'fail' });
    expect(run.suite.metrics.overall_attainable).toMatchObject({ zone: 'pass' });
    expect(run.cases[0]?.zone).toBe('below target');
    expect(run.comparison.action).not.toMatch(/fail zone/);
  });

  it('is inconclusive with exit code 2 when nothing was measured', async () => {
    mkdirSync(project.at('none'));
    const run = await json('run', '--golden', 'none', '--outputs', 'none');
    expect(run.gate).toEqual(expect.objectContaining({ verdict: 'inconclusive', exit_code: 2 }));
    expect(run.suite.metrics.overall).toMatchObject({ value: null, reason: 'no cases' });
    const screen = (await assay('run', '--golden', 'none', '--outputs', 'none')).stdout;
    expect(screen).toContain('none holds no golden cases (*.gold.json).');
    expect(screen).not.toContain('is unmeasured');
    // Silence where relationships are expected is an answer, and a bad one.
    writeFileSync(project.at('none/x.gold.json'), readFileSync(project.at('golden/case-1.gold.json')));
    writeFileSync(
      project.at('none/case-1.json'),
      JSON.stringify({ ...outputWith({ found: 10 }), relationships: [] }),
    );
    expect((await assay('run', '--golden', 'none', '--outputs', 'none')).status).toBe(1);
  });

  it.each([
    [['run', '--golden', 'nowhere'], /nowhere does not exist/],
    [['run', '--outputs', 'nowhere'], /nowhere/],
    [['run', '--prompt', 'decompose-concepts-v1.1'], /needs a model, and none is configured/],
    [['run', '--prompt', 'decompose-concepts-v9.9', '--model', 'openai/x'], /decompose-concepts-v9\.9\.md/],
    [['run', '--extractor', 'local', '--prompt', 'a-v1.0'], /the local extractor has no prompt/],
    [['run', '--outputs', 'golden', '--extractor', 'local'], /--extractor has no effect/],
    [['run', '--baseline', '--compare'], /use one of them/],
    [['run', '--approve', 'x'], /--approve belongs to --compare/],
    [['compare'], /there is no baseline/],
    [['compare', '--approve', ' ', '--outputs', 'golden'], /--approve is empty/],
    [['trend', '--history', 'golden'], /golden/],
  ])('%j could not run: exit code 3 and what to do', async (words, message) => {
    const { status, stdout, stderr } = await assay(...words);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  });

  it('takes the mean over repeats as the value of a case, and tells the trials apart', async () => {
    mkdirSync(project.at('outputs'));
    for (let i = 1; i <= 8; i++) {
      for (const [n, found] of [10, 8, 6].entries()) {
        const path = project.at(`outputs/case-${i}.${n + 1}.json`);
        writeFileSync(path, JSON.stringify(outputWith({ found })));
      }
    }
    const run = await json('run', '--outputs', 'outputs');
    expect(run.cases[0]?.metrics.concept_recall?.value).toBeCloseTo(0.8, 12);
    expect(run.cases[0]?.trials).toHaveLength(3);
    expect(run.cases[0]?.missed).toEqual(['timber', 'walnut', 'quarry', 'saddle']);
  });
});

describe('the match level', () => {
  it('is part of what a number is valid for', async () => {
    project.outputs('outputs', { found: 10 });
    await assay('baseline', '--outputs', 'outputs');
    const run = await json('compare', '--outputs', 'outputs', '--match-level', 'exact');
    expect(run.gate.exit_code).toBe(2);
    expect(run.comparison.differences.join()).toMatch(/match\.exact/);
  });
});

describe('an extractor', () => {
  it('can be any program, which is given the prompt that is measured', async () => {
    const script = project.at('extract.mjs');
    mkdirSync(project.at('prompts'));
    writeFileSync(project.at('prompts/mine-v1.0.md'), '9');
    writeFileSync(
      script,
      `import { readFileSync } from 'node:fs';
       const found = Number(readFileSync(process.env.ASSAY_PROMPT_FILE, 'utf8'));
       const outputs = ${JSON.stringify(Array.from({ length: 11 }, (_, found) => outputWith({ found })))};
       const promptVersion = process.env.ASSAY_PROMPT_VERSION;
       process.stdin.resume().on('end', () => console.log(JSON.stringify({ ...outputs[found], promptVersion })));`,
    );
    const command = ['--extractor', 'command', '--command', `"${process.execPath}" "${script}"`];
    const run = await json('run', ...command, '--prompt', 'mine', '--repeat', '2');
    expect(run.run).toMatchObject({
      prompt: 'mine-v1.0',
      prompt_sha256: madeWith('9').promptSha256,
      subject: expect.stringMatching(/^command .* mine-v1\.0$/),
    });
    expect(run.suite.metrics.concept_recall?.value).toBeCloseTo(0.9, 12);
    expect(run.cases[0]?.trials).toHaveLength(2);
    const unknown = await project.assay('run', ...command, '--prompt', 'other-v1.0');
    expect(unknown).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/other-v1\.0\.md does not exist/),
    });
  });

  it('that fails on a text is no verdict on quality: the run could not be made', async () => {
    const script = project.at('extract.mjs');
    const good = JSON.stringify(JSON.stringify(outputWith({ found: 10 })));
    writeFileSync(
      script,
      `if (process.env.ASSAY_CASE_ID === 'case-3') { console.error('out of memory'); process.exit(1); }
       process.stdin.resume().on('end', () => console.log(${good}));`,
    );
    const run = await json('run', '--extractor', 'command', '--command', `"${process.execPath}" "${script}"`);
    expect(run.gate).toMatchObject({ exit_code: 3, verdict: 'could not run' });
    expect(run.gate.reasons.join()).toMatch(
      /^7 of 8 cases could be measured: 1 call failed: .*out of memory/s,
    );
    expect(run.cases[2]).toMatchObject({ id: 'case-3', error: expect.stringMatching(/out of memory/) });
    expect(run.suite.metrics.overall?.value).toBeCloseTo(0.85, 12);
    const saved = await assay(
      'baseline',
      '--extractor',
      'command',
      '--command',
      `"${process.execPath}" "${script}"`,
    );
    expect(saved.status).toBe(3);
    expect(existsSync(project.at('.baseline.json'))).toBe(false);
  });
});

/** Check → what it said. */
const outcomesOf = ({ gate }: RunJson) =>
  Object.fromEntries(gate.checks.map(({ id, outcome }) => [id, outcome]));

describe('a case that fails', () => {
  it('is named first, counted, a failure in JUnit, and blocks where the configuration says so', async () => {
    project.outputs('outputs', (i) => ({ found: i === 3 ? 5 : 10 }));
    const run = await json('run', '--outputs', 'outputs');
    expect(run.gate).toMatchObject({ verdict: 'passed', exit_code: 0 });
    expect(run.suite).toMatchObject({ n_case_failures: 1 });
    expect(run.cases.map(({ failed }) => failed)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((i) => i === 3));
    const { stdout } = await assay('run', '--outputs', 'outputs');
    expect(stdout.replace(/\s+/g, ' ').slice(0, 300)).toMatch(
      /passed, 1 case failed: .*1 case failed: case-3 \(Concept recall\)/i,
    );
    const junit = (await assay('run', '--outputs', 'outputs', '--format', 'junit')).stdout;
    expect(junit).toMatch(/name="case-3"[^>]*>\s*<failure /);
    project.write('assay.config.json', JSON.stringify({ decomposition: { caseFailures: 'block' } }));
    expect((await assay('run', '--outputs', 'outputs')).status).toBe(1);
  });

  it('is not told from chance by fewer than five cases: that is never passed', async () => {
    project.close();
    project = openProject(4);
    project.outputs('outputs', { found: 10 }, 4);
    const run = await json('run', '--outputs', 'outputs');
    expect(run.gate).toMatchObject({ verdict: 'inconclusive', exit_code: 2 });
    expect(run.gate.reasons.join()).toMatch(/4 of at least 5 cases.*1 more is needed/);
  });

  it('in one repeat and not in the next warns, and widens the interval', async () => {
    mkdirSync(project.at('outputs'));
    for (let i = 1; i <= 8; i++) {
      for (const n of [1, 2, 3, 4]) {
        const output = outputWith({ found: n % 2 === 0 ? 5 : 10, costUsd: 0.01, latencyMs: 100 * n });
        writeFileSync(project.at(`outputs/case-${i}.${n}.json`), JSON.stringify(output));
      }
    }
    const run = await json('run', '--outputs', 'outputs');
    expect(run.suite.metrics.concept_recall).toMatchObject({ value: 0.75, spread: expect.any(Number) });
    expect(run.suite.metrics.concept_recall?.low).toBeLessThan(0.72);
    expect(run.gate.reasons.join()).toMatch(/Concept recall differs by 28\.9 points between repeats/);
    expect(run.suite).toMatchObject({
      cost_usd: { sum: expect.closeTo(0.32, 9), mean: expect.closeTo(0.01, 9), n: 32 },
      latency_ms: { mean: 250, n: 32 },
    });
    const { stdout } = await assay('run', '--outputs', 'outputs');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/Outputs cost \$0\.32 .*Outputs took 250 ms on average/);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/Repeats of one case differ by.*Concept recall 28\.9/);
  });
});

describe('the regression protocol', () => {
  it('goes from a baseline over a blocked comparison to an approval that is kept', async () => {
    project.outputs('before', { found: 10, model: 'm' });
    project.outputs('after', { found: 7, model: 'm' });
    project.outputs('worse', { found: 6, model: 'm' });
    const saved = await assay('baseline', '--outputs', 'before');
    expect(saved.status).toBe(0);
    expect(saved.stdout).toContain('Saved as the baseline in .baseline.json');
    const baseline = project.readJson('.baseline.json');
    expect(baseline).toMatchObject({
      format: 'assay-run',
      version: 2,
      suite: { n_cases: 8 },
    });
    expect(baseline.cases).toHaveLength(8);

    const blocked = await json('compare', '--outputs', 'after');
    expect(blocked.gate.exit_code).toBe(1);
    // 0.25 × (0.7 − 1.0) is −7.5 points
    expect(blocked.comparison.metrics.overall?.points).toBeCloseTo(-7.5, 9);
    expect(blocked.comparison.metrics.overall).toMatchObject({
      size: 'regression',
      paired: { verdict: 'worse' },
    });
    expect(blocked.comparison.action).toBe(
      'block the merge, investigate before proceeding: Concept recall, Overall score',
    );
    expect(blocked.comparison.cases).toHaveLength(8);
    expect(blocked.comparison.cases[0]?.metrics.concept_recall?.points).toBeCloseTo(-30, 9);
    expect(existsSync(project.at('approvals.json'))).toBe(false);

    expect((await json('compare', '--outputs', 'after')).notes.join()).toContain(
      'add --approve "why" to the same command',
    );
    const approved = await json('compare', '--outputs', 'after', '--approve', 'fewer concepts on purpose');
    expect(approved.notes.join()).not.toContain('--approve');
    // The overall score and the metric that it fell by are let through, and the record names both.
    expect(outcomesOf(approved)).toMatchObject({
      'decomposition/overall:baseline': 'warning',
      'decomposition/concept-recall:baseline': 'warning',
    });
    expect(approved.gate.exit_code).toBe(0);
    expect(approved.comparison.action).toMatch(/^investigate: Concept F1.* which the gate does not hold$/);
    const [entry, ...others] = project.readJson('approvals.json').approvals;
    expect([entry, ...others].map(({ metric }) => metric)).toEqual([
      'decomposition/concept-recall',
      'decomposition/overall',
    ]);
    expect(entry).toMatchObject({
      who: 'Ada Lovelace <ada@example.org>',
      reason: 'fewer concepts on purpose',
      run: approved.run.id,
      baseline_run: baseline.run.id,
    });
    expect(Date.parse(entry.at)).not.toBeNaN();
    const store = await openStore(project.at('.local/share/assay/assay.db'));
    const stored = await store.readApprovals();
    await store.close();
    expect(stored).toMatchObject([entry, ...others].map(({ who, reason, at }) => ({ who, reason, at })));

    // Whoever has the file has the approval, but only for the run that was looked at: measured again, it is the same.
    const overall = async (outputs: string) =>
      outcomesOf(await json('compare', '--outputs', outputs))['decomposition/overall:baseline'];
    expect(await overall('after')).toBe('warning');
    expect(await overall('worse')).toBe('blocked');
    project.outputs('again', (i) => ({ found: i === 1 ? 8 : i === 2 ? 6 : 7, model: 'm' }));
    expect(await overall('again')).toBe('blocked');
    expect(project.readJson('approvals.json').approvals).toHaveLength(2);
  });

  it('keeps the reason for a small fall of any gated metric, for that run alone', async () => {
    project.outputs('before', { found: 10 });
    await assay('baseline', '--outputs', 'before');
    // Three of eight cases lose one of ten concepts: recall −3.75 points, overall −0.9.
    project.outputs('after', (i) => ({ found: i <= 3 ? 9 : 10 }));
    const asked = await json('compare', '--outputs', 'after');
    expect(asked.gate.exit_code).toBe(0);
    expect(asked.comparison.action).toBe('investigate, document the reason: Concept recall');
    const given = await json('compare', '--outputs', 'after', '--reason', 'three labels were renamed');
    expect(given.comparison.action).toBe('proceed: what got worse was approved or has its reason');
    expect(given.gate.reasons.join()).toMatch(
      /the reason given by Ada Lovelace .*: three labels were renamed/,
    );
    expect(project.readJson('approvals.json').approvals).toMatchObject([
      { kind: 'reason', metric: 'decomposition/concept-recall', reason: 'three labels were renamed' },
    ]);
    const store = await openStore(project.at('.local/share/assay/assay.db'));
    const stored = await store.readApprovals();
    await store.close();
    expect(stored).toMatchObject([
      { metric: 'decomposition/concept-recall', who: given && expect.any(String) },
    ]);
    expect((await json('compare', '--outputs', 'after')).comparison.action).toMatch(/^proceed: /);
    project.outputs('after', (i) => ({ found: i >= 6 ? 9 : 10 }));
    expect((await json('compare', '--outputs', 'after')).comparison.action).toMatch(/^investigate, document/);
  });

  it('asks for an action by the size of the change, and calls noise noise', async () => {
    project.outputs('before', { found: 8 });
    await assay('run', '--outputs', 'before', '--baseline');
    const against = async (of: Parameters<typeof writeOutputs>[1]) => {
      project.outputs('after', of);
      return await json('run', '--outputs', 'after', '--compare');
    };
    expect((await against({ found: 9 })).comparison.action).toBe('proceed normally');
    expect((await against({ found: 8 })).comparison.action).toBe('proceed normally');
    // Recall −20 blocks, although the overall score fell by exactly five points: 0.25 × 0.2.
    const small = await against({ found: 6 });
    expect(small.comparison).toMatchObject({
      action: 'block the merge, investigate before proceeding: Concept recall',
      metrics: { overall: { size: 'small regression' } },
    });
    expect(small.gate.exit_code).toBe(1);
    expect((await against({ found: 5 })).comparison.action).toMatch(/Concept recall entered the fail zone/);
    // −6, −6, −6 and five times +2 of ten concepts: −2.5 points in the mean, which chance explains.
    const noise = await against((i) => ({ found: i <= 3 ? 2 : 10 }));
    expect(noise.comparison.metrics.overall).toMatchObject({
      size: 'small regression',
      paired: { verdict: 'noise' },
    });
    expect(noise.notes.join('\n')).toMatch(/Overall score: −2\.5 points is within noise over 8 paired cases/);
  });

  it('is printed when the history cannot take it, which stays as it was, and ends with 3', async () => {
    project.outputs('outputs', { found: 8 });
    expect((await assay('run', '--outputs', 'outputs', '--no-store')).status).toBe(0);
    const file = JSON.parse(project.read('metrics-history.json')) as { runs: object[] };
    const runs = Array.from({ length: 60 }, () => file.runs[0]);
    writeFileSync(project.at('metrics-history.json'), JSON.stringify({ ...file, runs }));
    const before = project.read('metrics-history.json');
    // No file may become larger than 4 kB, as on a disk that is full.
    const limited = ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, LAUNCHER];
    const words = ['decomposition', 'run', '--outputs', 'outputs', '--no-store'];
    const run = () =>
      spawnSync('bash', [...limited, ...words], { cwd: project.folder, encoding: 'utf8', env: project.env });
    const { status, stdout, stderr } = run();
    expect(stdout).toContain('Concept recall');
    expect(stderr).toMatch(/The run is given, but it is not in the history.*OUTPUT_FAILED/s);
    expect(status).toBe(3);
    expect(project.read('metrics-history.json')).toBe(before);
    expect(readdirSync(project.folder).filter((name) => /lock|tmp/.test(name))).toEqual([]);
  });

  it('keeps what was approved in its file and prints the result when the store cannot take it', async () => {
    project.outputs('before', { found: 10 });
    expect((await assay('baseline', '--outputs', 'before')).status).toBe(0);
    project.outputs('after', { found: 7 });
    mkdirSync(project.at('folder.db'));
    const words = ['--outputs', 'after', '--approve', 'fewer on purpose', '--store', 'folder.db'];
    const { status, stdout, stderr } = await assay('run', '--compare', ...words);
    expect(stdout).toContain('Concept recall');
    expect(stderr).toContain('but not in the store');
    expect(stderr).not.toContain('what is missing is added');
    expect(status).toBe(3);
    expect(project.readJson('approvals.json').approvals[0]).toMatchObject({ reason: 'fewer on purpose' });
  });

  it.skipIf(process.platform !== 'linux')(
    'prints the result when what was approved cannot be written down, and says so',
    async () => {
      project.outputs('before', { found: 10 });
      expect((await assay('baseline', '--outputs', 'before')).status).toBe(0);
      project.outputs('after', { found: 7 });
      // A folder in which nobody can make a file, not even root.
      const file = openSync(project.at('.baseline.json'), 'r');
      const words = ['--outputs', 'after', '--approve', 'fewer on purpose'];
      const baseline = `/proc/${process.pid}/fd/${file}`;
      const { status, stdout, stderr } = await assay(
        'run',
        '--compare',
        '--baseline-file',
        baseline,
        ...words,
      );
      closeSync(file);
      expect(stdout).toContain('Concept recall');
      expect(stderr).toContain('what was approved is not written down');
      expect(stderr).toContain('Then approve it again');
      expect(status).toBe(3);
    },
  );

  it('blocks a candidate with missing or errored cases, which nobody can approve', async () => {
    project.outputs('before', { found: 10 });
    await assay('baseline', '--outputs', 'before');
    project.outputs('after', { found: 6 }, 7);
    const run = await json('compare', '--outputs', 'after', '--approve', 'never mind');
    expect(run.gate.exit_code).toBe(1);
    expect(run.gate.reasons.join('\n')).toMatch(/case-8/);
    expect(existsSync(project.at('approvals.json'))).toBe(false);
  });

  it('lets nobody approve a metric in the fail zone', async () => {
    project.outputs('before', { found: 10 });
    project.outputs('after', { found: 5 });
    await assay('baseline', '--outputs', 'before');
    const approved = await json('compare', '--outputs', 'after', '--approve', 'it is what it is');
    expect(approved.gate.exit_code).toBe(1);
    expect(outcomesOf(approved)).toMatchObject({ 'decomposition/concept-recall': 'blocked' });
  });

  it('keeps no baseline with gaps, and leaves the old one alone', async () => {
    project.outputs('outputs', { found: 10 });
    await assay('baseline', '--outputs', 'outputs');
    const old = project.read('.baseline.json');
    rmSync(project.at('outputs/case-4.json'));
    const { status, stderr } = await assay('baseline', '--outputs', 'outputs');
    expect(status).toBe(1);
    expect(stderr).toMatch(/not written: 1 case could not be measured \(case-4\)/);
    expect(project.read('.baseline.json')).toBe(old);
  });

  it('keeps a baseline that would not pass: it is where things are', async () => {
    project.outputs('outputs', { found: 4 });
    const { status, stdout } = await assay(
      'baseline',
      '--outputs',
      'outputs',
      '--baseline-file',
      'kept/mine.json',
    );
    expect(status).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain('As a run it would be blocked');
    expect(existsSync(project.at('kept/mine.json'))).toBe(true);
  });

  it('compares two results that were written down', async () => {
    project.outputs('before', { found: 10 });
    project.outputs('after', { found: 7 });
    await assay('run', '--outputs', 'before', '--format', 'json', '--out', 'a.json');
    await assay('run', '--outputs', 'after', '--format', 'json', '--out', 'b.json');
    expect((await json('compare', 'a.json', 'b.json')).comparison.metrics.overall?.points).toBeCloseTo(
      -7.5,
      9,
    );
    expect((await assay('compare', 'a.json', 'b.json')).status).toBe(1);
    expect((await assay('compare', 'b.json', 'a.json')).status).toBe(0);
    const { stdout } = await assay('compare', 'a.json', 'b.json', '--format', 'markdown');
    expect(stdout).toMatch(/Change by case/);
    expect((await assay('compare', 'b.json', '--baseline-file', 'a.json')).status).toBe(1);
    expect(await assay('compare', 'golden/case-1.gold.json', 'b.json')).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/is not a result/),
    });
  });
});
