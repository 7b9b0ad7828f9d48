import { describe, expect, it } from 'vitest';
import { importRuns, importTruth } from '../import-file.ts';
import { readMapping } from '../read-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();
const names = { workflow: 'w', task: 'T1', run: '1' };

const at = (uri: string, startLine?: number, endLine?: number) => ({
  physicalLocation: {
    artifactLocation: { uri },
    ...(startLine !== undefined && { region: { startLine, endLine } }),
  },
});
const sarif = (results: unknown, driver: object = { name: 'Tool' }) => ({
  version: '2.1.0',
  runs: [{ tool: { driver }, results }],
});
const result = { ruleId: 'CWE-89', message: { text: 'SQL from input' }, locations: [at('src/a.ts', 3, 5)] };

describe('SARIF as a run', () => {
  const read = (log: unknown, options = {}) => importRuns(write('tool.sarif', log), { ...names, ...options });

  it('gives findings with place, severity and category, and says what was translated', () => {
    const rules = [
      {
        id: 'js/sql',
        defaultConfiguration: { level: 'error' },
        properties: { tags: ['security', 'external/cwe/cwe-089'] },
        messageStrings: { main: { text: 'Input reaches {0}.' } },
      },
    ];
    const log = sarif(
      [
        { ...result, level: 'note' },
        {
          ruleIndex: 0,
          message: { id: 'main', arguments: ['query'] },
          locations: [at('file:///repo/my%20file.ts', 7)],
        },
        { ruleId: 'style', message: { text: 'First line\nand more' }, level: 'none' },
      ],
      { name: 'CodeTool', semanticVersion: '2.0.0', rules },
    );
    const { runs, mappings } = read(log);
    expect(runs).toMatchObject([{ workflow: 'w', task: 'T1', run: '1' }]);
    expect(runs[0]?.findings).toEqual([
      {
        id: 'F1',
        title: 'SQL from input',
        severity: 'MINOR',
        category: 'CWE-89',
        file: 'src/a.ts',
        lines: [3, 5],
        labels: [],
      },
      {
        id: 'F2',
        title: 'Input reaches query.',
        severity: 'CRITICAL',
        category: 'CWE-89',
        file: '/repo/my file.ts',
        lines: [7, 7],
        labels: [],
      },
      { id: 'F3', title: 'First line', description: 'First line\nand more', category: 'style', labels: [] },
    ]);
    expect(mappings).toContainEqual({
      field: 'severity',
      from: 'note',
      to: 'MINOR',
      count: 1,
      because: 'default for SARIF',
    });
    expect(mappings).toContainEqual({
      field: 'severity',
      from: 'none',
      count: 1,
      because: 'default for SARIF',
    });
    expect(mappings.filter(({ field }) => field === 'category')).toEqual([
      { field: 'category', from: 'CWE-89', to: 'CWE-89', count: 1, because: 'as written' },
      { field: 'category', from: 'js/sql', to: 'CWE-89', count: 1, because: 'tag of the rule' },
      { field: 'category', from: 'style', to: 'style', count: 1, because: 'as written' },
    ]);
  });

  it('looks for a rule in the pack that the result names, as CodeQL writes them', () => {
    const rule = (id: string, level: string) => ({ id, defaultConfiguration: { level } });
    const packs = [
      { name: 'other', rules: [rule('js/other', 'note')] },
      { name: 'queries', rules: [rule('js/sql', 'error')] },
    ];
    const results = [
      { rule: { id: 'js/sql', index: 0, toolComponent: { index: 1 } }, message: { text: 'by index' } },
      { rule: { index: 0, toolComponent: { name: 'queries' } }, message: { text: 'by name' } },
      { ruleId: 'js/sql', message: { text: 'by id' } },
    ];
    const tool = { driver: { name: 'CodeQL', rules: [rule('js/first', 'note')] }, extensions: packs };
    const { runs } = read({ version: '2.1.0', runs: [{ tool, results }] });
    expect(runs[0]?.findings.map(({ severity, category }) => [severity, category])).toEqual(
      results.map(() => ['CRITICAL', 'js/sql']),
    );
  });

  it('takes the level that the standard gives a result without one', () => {
    expect(read(sarif([result])).runs[0]?.findings[0]?.severity).toBe('IMPORTANT');
  });

  it('leaves out what says that nothing is wrong, and says so', () => {
    const { runs, notes } = read(
      sarif([
        { ...result, kind: 'pass' },
        { ...result, suppressions: [{ kind: 'inSource' }] },
        { ...result, suppressions: [{ kind: 'external', status: 'rejected' }] },
        { ...result, baselineState: 'absent' },
      ]),
    );
    expect(runs[0]?.findings).toHaveLength(1);
    expect(notes).toEqual([
      'results of the kind pass, no findings: 1',
      'results that are suppressed, no findings: 1',
      'results that are no longer there (baselineState absent), no findings: 1',
    ]);
  });

  it('has no lines where the tool writes 0 because it knows none', () => {
    const [first] = read(sarif([{ ...result, locations: [at('a.ts', 0, 0)] }])).runs[0]?.findings ?? [];
    expect(first).toMatchObject({ file: 'a.ts' });
    expect(first?.lines).toBeUndefined();
  });

  it('with no results is a run that found nothing', () => {
    expect(read(sarif([])).runs[0]?.findings).toEqual([]);
    expect(read(sarif(null)).runs[0]?.findings).toEqual([]);
  });

  it.each([
    [
      'an unknown level',
      sarif([{ ...result, level: 'fatal' }]),
      /tool\.sarif: runs\.0\.results\.0\.level: "fatal" is no severity of SARIF; valid are error, warning, note, none/,
    ],
    [
      'an unknown kind',
      sarif([{ ...result, kind: 'maybe' }]),
      /runs\.0\.results\.0\.kind: "maybe" is not known; it is one of fail, pass/,
    ],
    ['another version', { ...sarif([]), version: '2.0.0' }, /version: "2\.0\.0" is not the version 2\.1\.0/],
    ['no message', sarif([{ ruleId: 'x' }]), /runs\.0\.results\.0\.message: is missing/],
  ])('with %s is refused', (_, log, message) => {
    expect(() => read(log)).toThrow(message);
  });

  it('uses a mapping file, and leaves a category that it lacks as written', () => {
    const maps = readMapping(
      write('mapping.yaml', 'severity: { fatal: CRITICAL }\ncategory: { CWE-89: SECURE }\n'),
    );
    const { runs, mappings } = read(sarif([{ ...result, level: 'fatal' }]), { maps });
    expect(runs[0]?.findings[0]).toMatchObject({ severity: 'CRITICAL', category: 'SECURE' });
    expect(mappings).toContainEqual({
      field: 'category',
      from: 'CWE-89',
      to: 'SECURE',
      count: 1,
      because: 'mapping file',
    });
    expect(read(sarif([{ ...result, ruleId: 'CWE-1' }]), { maps }).runs[0]?.findings[0]?.category).toBe(
      'CWE-1',
    );
  });

  it('refuses a mapping to a severity that does not exist', () => {
    expect(() => readMapping(write('mapping.json', { severity: { high: 'HIGH' } }))).toThrow(
      /severity\.high: "HIGH" is not known/,
    );
  });
});

describe('SARIF as a ground truth', () => {
  const read = (log: unknown, options = {}) => importTruth(write('truth.sarif', log), options);
  const fail = { ...result, kind: 'fail' };

  it('takes fail for an error and pass for a trap, and the rule ids for its categories', () => {
    const log = sarif([
      fail,
      { ...fail, ruleId: 'CWE-489,CWE-215', level: 'error' },
      { ...fail, kind: 'pass' },
    ]);
    const { truth, notes, mappings } = read(log, { task: 'T1', version: '3' });
    expect(truth).toMatchObject({
      task: 'T1',
      version: '3',
      categories: ['CWE-215', 'CWE-489', 'CWE-89'],
      errors: [
        {
          id: 'E1',
          severity: 'IMPORTANT',
          category: 'CWE-89',
          description: 'SQL from input',
          locations: [{ file: 'src/a.ts', lines: [3, 5] }],
        },
        { id: 'E2', severity: 'CRITICAL', category: 'CWE-489', acceptCategories: ['CWE-215'] },
      ],
      traps: [{ id: 'T3', category: 'CWE-89' }],
    });
    expect(notes).toEqual([]);
    expect(mappings[0]).toEqual({
      field: 'severity',
      from: 'warning',
      to: 'IMPORTANT',
      count: 1,
      because: 'default for SARIF',
    });
  });

  it('takes its own severity and id from the properties', () => {
    const { truth } = read(sarif([{ ...fail, properties: { severity: 'MINOR', id: 'SQL-1' } }]));
    expect(truth.errors).toMatchObject([{ id: 'SQL-1', severity: 'MINOR' }]);
  });

  it('names task and version after the tool, and says so', () => {
    expect(read(sarif([fail])).truth).toMatchObject({ task: 'Tool', version: 'unversioned' });
    expect(read(sarif([fail])).notes).toHaveLength(2);
  });

  it('takes both lines of a region that ends before it begins, and says where', () => {
    const { truth, notes } = read(sarif([{ ...fail, locations: [at('a', 9, 4)] }]));
    expect(truth.errors[0]?.locations).toEqual([{ file: 'a', lines: [4, 9] }]);
    expect(notes).toContain(
      'a region ends before it begins, and its lines were taken in order: runs.0.results.0',
    );
  });

  it.each([
    [
      'another kind',
      { ...fail, kind: 'review' },
      /kind: "review" is neither fail \(an error\) nor pass \(a trap\)/,
    ],
    [
      'an unknown severity',
      { ...fail, properties: { severity: 'high' } },
      /properties\.severity: "high" is no severity of SARIF/,
    ],
    ['a level without severity', { ...fail, level: 'none' }, /level: the level "none" gives no severity/],
    ['no rule', { ...fail, ruleId: undefined }, /ruleId: is missing; it gives the category/],
  ])('with %s is refused', (_, one, message) => {
    expect(() => read(sarif([one]))).toThrow(message);
  });
});

it('of a tool that did not finish is no run', () => {
  const log = (executionSuccessful: boolean) => ({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Tool' } }, invocations: [{ executionSuccessful }], results: [] }],
  });
  const names = { task: 'T1' };
  expect(importRuns(write('done.sarif', log(true)), names).runs).toHaveLength(1);
  expect(() => importRuns(write('broken.sarif', log(false)), names)).toThrow(
    /broken\.sarif: runs\.0\.invocations\.0\.executionSuccessful: is false: the tool did not finish/,
  );
});
