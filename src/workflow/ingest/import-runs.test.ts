import { describe, expect, it } from 'vitest';
import { importRuns, readRun } from './import-file.ts';
import { blocksOf, tempFolder } from './testing/temp-folder.ts';

const { write } = tempFolder();

const finding = { id: 'F1', title: 'Order is assumed', file: './a.md', lines: [3, 4] };
const run = { workflow: 'v6', task: 'T1', run: '1', findings: [finding] };

describe('a run', () => {
  it('is read from JSON, with one label or several', () => {
    const label = { match: 'Y', error: 'E1', by: 'ann' };
    const other = { match: 'FALSE', by: 'model-7', reason: 'It is announced.' };
    const file = write('run.json', {
      ...run,
      model: 'm',
      agent_tokens: 10,
      workflow_tokens: 0,
      truth_version: '1.0',
      concerns: [{ id: 'A1', layer: 'A', methods: ['read'] }],
      findings: [
        {
          ...finding,
          concern: 'A1',
          methods: ['read'],
          depth: 'CAUSE',
          severity: 'MINOR',
          category: 'X',
          quote: 'q',
          label,
        },
        { id: 'F2', title: 'Two opinions', labels: [label, other], properties: { confidence: 0.3 } },
      ],
    });
    expect(readRun(file)).toEqual([
      {
        workflow: 'v6',
        task: 'T1',
        run: '1',
        truthVersion: '1.0',
        model: 'm',
        agentTokens: 10,
        workflowTokens: 0,
        concerns: [{ id: 'A1', layer: 'A', methods: ['read'] }],
        findings: [
          {
            id: 'F1',
            title: 'Order is assumed',
            concern: 'A1',
            methods: ['read'],
            depth: 'CAUSE',
            severity: 'MINOR',
            category: 'X',
            file: 'a.md',
            lines: [3, 4],
            quote: 'q',
            labels: [label],
          },
          { id: 'F2', title: 'Two opinions', labels: [label, other] },
        ],
        path: file,
      },
    ]);
  });

  it('is read from the YAML and JSONL of the documentation', () => {
    const page = 'docs/formats/workflow-run.md';
    const [yaml = ''] = blocksOf(page, 'yaml');
    const [jsonl = ''] = blocksOf(page, 'jsonl');
    expect(readRun(write('run.yaml', yaml))).toMatchObject([
      {
        workflow: 'review-2',
        run: '1',
        findings: [{ id: 'F1' }, { id: 'F2', labels: [{ by: 'evaluator-1' }, { match: 'BONUS_VALID' }] }],
      },
    ]);
    expect(readRun(write('run.jsonl', jsonl))).toMatchObject([
      { workflow: 'review-2', run: '2', findings: [{ id: 'F1' }, { id: 'F2' }] },
    ]);
  });

  it('says the same as JSON, YAML and JSONL', () => {
    const { findings, ...header } = run;
    const [json] = readRun(write('run.json', run));
    const [yaml] = readRun(write('run.yaml', JSON.stringify(run, null, 2)));
    const [lines] = readRun(
      write(
        'run.jsonl',
        `${JSON.stringify(header)}\n\n${findings.map((one) => JSON.stringify(one)).join('\n')}\n`,
      ),
    );
    expect(yaml?.findings).toEqual(json?.findings);
    expect(lines?.findings).toEqual(json?.findings);
  });

  it('may share its file with others, as a list or one per line', () => {
    const second = { ...run, run: 2 };
    expect(readRun(write('runs.json', [run, second])).map((one) => one.run)).toEqual(['1', '2']);
    expect(
      readRun(write('runs.jsonl', `${JSON.stringify(run)}\n${JSON.stringify(second)}`)).map((one) => one.run),
    ).toEqual(['1', '2']);
  });

  it('may report nothing', () => {
    expect(readRun(write('run.json', { ...run, findings: [] }))).toMatchObject([{ findings: [] }]);
  });
});

describe('a run is refused, with file and place,', () => {
  const withFinding = (change: object) => ({
    ...run,
    findings: [finding, { ...finding, id: 'F2', ...change }],
  });
  it.each<[string, unknown, RegExp]>([
    [
      'when a severity is unknown',
      withFinding({ severity: 'high' }),
      /run\.json: findings\.1\.severity: "high" is not known; it is one of CRITICAL, IMPORTANT, MINOR/,
    ],
    [
      'when a match names no error',
      withFinding({ label: { match: 'P', by: 'ann' } }),
      /label\.error: is missing; a label P names the error/,
    ],
    [
      'when a false finding names an error',
      withFinding({ label: { match: 'FALSE', error: 'E1', by: 'ann' } }),
      /label\.error: a label FALSE matches no error, yet "E1" is named/,
    ],
    [
      'when one author labels twice',
      withFinding({
        labels: [
          { match: 'FALSE', by: 'a' },
          { match: 'FALSE', by: 'a' },
        ],
      }),
      /findings\.1\.labels\.1\.by: "a" has labelled this finding before/,
    ],
    [
      'when an id is there twice',
      withFinding({ id: 'F1' }),
      /findings\.1\.id: "F1" is the id of findings\.0 as well/,
    ],
    [
      'when a concern is not declared',
      { ...withFinding({ concern: 'Z' }), concerns: [{ id: 'A1', layer: 'A' }] },
      /findings\.1\.concern: "Z" is none of the concerns A1/,
    ],
    ['when a key is misspelt', withFinding({ lable: {} }), /findings\.1: has the unknown key "lable"/],
    [
      'when it is a ground truth',
      { task: 'T', version: '1', errors: [] },
      /is no run of a review but a ground truth/,
    ],
  ])('%s', (_, content, message) => {
    const read = () => readRun(write('run.json', content));
    expect(read).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
    expect(read).toThrow(message);
  });

  it.each([
    [
      'a finding is wrong',
      '{"workflow":"w","task":"T","run":"1"}\n{"id":"F1","title":"x"}\n{"id":"F2"}\n',
      /run\.jsonl:3: findings\.1\.title: is missing/,
    ],
    ['a line is not JSON', '{"workflow":"w","task":"T","run":"1"}\n{"id":\n', /run\.jsonl:2 is not JSON/],
    [
      'a finding comes first',
      '{"id":"F1","title":"x","findings":1}\n{"workflow":"w"}\n',
      /run\.jsonl:1: .*is a finding before the first run/,
    ],
    [
      'the header is wrong',
      '{"workflow":"w","run":"1"}\n{"id":"F1","title":"x"}\n',
      /run\.jsonl:1: task: is missing/,
    ],
    [
      'a line is a number',
      '{"workflow":"w","task":"T","run":"1"}\n7\n',
      /run\.jsonl:2: .*is neither a run nor a finding/,
    ],
    ['it is empty', '\n', /run\.jsonl: .*does not begin with a run/],
  ])('at its line when %s in JSONL', (_, text, message) => {
    expect(() => importRuns(write('run.jsonl', text))).toThrow(message);
  });

  it('at its line in YAML', () => {
    expect(() =>
      readRun(write('run.yml', 'workflow: w\ntask: T\nrun: 1\nfindings:\n  - id: F1\n    title: ""\n')),
    ).toThrow(/run\.yml:6: findings\.0\.title: is empty/);
  });
});
