import { describe, expect, it } from 'vitest';
import { readMapping } from './mapping.ts';
import { importRuns } from './run.ts';
import { tempFolder } from './testing/temp-folder.ts';
import { importTruth } from './truth.ts';

const { write } = tempFolder();
const names = { workflow: 'w', task: 'T1', run: '1' };

const at = (uri: string, startLine?: number, endLine?: number) => ({
  physicalLocation: {
    artifactLocation: { uri },
    ...(startLine !== undefined && { region: { startLine, ...(endLine !== undefined && { endLine }) } }),
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
    expect(first).not.toHaveProperty('lines');
  });

  it('with no results is a run that found nothing', () => {
    expect(read(sarif([])).runs[0]?.findings).toEqual([]);
    expect(read(sarif(null)).runs[0]?.findings).toEqual([]);
  });

  it.each([
    [
      'an unknown level',
      sarif([{ ...result, level: 'fatal' }]),
      /tool\.sarif: runs\.0\.results\.0\.level: "fatal" is no severity of SARIF; known are error, warning, note, none/,
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

  it('uses a mapping file, and refuses a category that it lacks', () => {
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
    expect(() => read(sarif([{ ...result, ruleId: 'CWE-1' }]), { maps })).toThrow(
      /ruleId: "CWE-1" has no category in the mapping; it maps CWE-89/,
    );
  });

  it('refuses a mapping to a severity that does not exist', () => {
    expect(() => readMapping(write('mapping.json', { severity: { high: 'HIGH' } }))).toThrow(
      /severity\.high: "HIGH" is not known/,
    );
  });
});

describe('the names of a run from another tool', () => {
  const log = sarif([], { name: 'Linter', version: '3' });

  it('come from its file name, and the import says so', () => {
    const { runs, notes } = importRuns(write('v6--T1--run-2.sarif', log));
    expect(runs).toMatchObject([{ workflow: 'v6', task: 'T1', run: 'run-2' }]);
    expect(notes).toContain('workflow "v6" comes from the name of the file');
  });

  it('come from the tool and the file name where no more is known', () => {
    const { runs, notes } = importRuns(write('night.sarif', log), { task: 'T1' });
    expect(runs).toMatchObject([{ workflow: 'Linter 3', task: 'T1', run: 'night' }]);
    expect(notes).toEqual([
      'workflow "Linter 3" comes from the tool that the file names',
      'run "night" comes from the name of the file',
    ]);
  });

  it('are asked for when nothing tells the task', () => {
    const read = () => importRuns(write('night.sarif', log));
    expect(read).toThrow(/night\.sarif: task: nothing says which task this is/);
    expect(read).toThrow(
      expect.objectContaining({ remedy: 'Give --task, or name the file workflow--task--run.sarif.' }),
    );
  });
});

describe('reviewdog', () => {
  const diagnostic = (severity: unknown, line = 14, end = line) => ({
    message: 'Unused variable',
    location: { path: 'src/a.go', range: { start: { line, column: 2 }, end: { line: end } } },
    severity,
    code: { value: 'SA4006', url: 'https://example.org' },
  });

  it('is read as rdjson', () => {
    const log = {
      source: { name: 'staticcheck' },
      severity: 'WARNING',
      diagnostics: [diagnostic('ERROR'), diagnostic(undefined), diagnostic('UNKNOWN_SEVERITY')],
    };
    const { runs, mappings } = importRuns(write('r.rdjson', log), { task: 'T1' });
    expect(runs[0]).toMatchObject({ workflow: 'staticcheck', run: 'r' });
    expect(runs[0]?.findings.map(({ severity }) => severity)).toEqual(['CRITICAL', 'IMPORTANT', undefined]);
    expect(runs[0]?.findings[0]).toMatchObject({ category: 'SA4006', file: 'src/a.go', lines: [14, 14] });
    expect(mappings.filter(({ field }) => field === 'severity')).toHaveLength(3);
  });

  it('is read as rdjsonl, one diagnostic per line, and an empty file is a run that found nothing', () => {
    const text = `${JSON.stringify(diagnostic('INFO'))}\n${JSON.stringify(diagnostic('ERROR'))}\n`;
    expect(importRuns(write('r.rdjsonl', text), names).runs[0]?.findings).toHaveLength(2);
    expect(importRuns(write('r.rdjsonl', ''), names).runs[0]?.findings).toEqual([]);
  });

  it('may write its severities as numbers', () => {
    const diagnostics = [1, 2, 3, 0].map((severity) => diagnostic(severity));
    const { runs } = importRuns(write('r.rdjson', { diagnostics }), names);
    expect(runs[0]?.findings.map(({ severity }) => severity)).toEqual([
      'CRITICAL',
      'IMPORTANT',
      'MINOR',
      undefined,
    ]);
  });

  it('with an unknown severity is refused at its line', () => {
    const text = `${JSON.stringify(diagnostic('INFO'))}\n${JSON.stringify(diagnostic('HINT'))}\n`;
    expect(() => importRuns(write('r.rdjsonl', text), names)).toThrow(
      /r\.rdjsonl:2: diagnostics\.1\.severity: "HINT" is no severity of rdjson; known are ERROR, WARNING, INFO/,
    );
  });

  it('with a range that ends before it begins is refused', () => {
    expect(() => importRuns(write('r.rdjson', { diagnostics: [diagnostic('INFO', 9, 4)] }), names)).toThrow(
      /ends at line 4, before it begins at line 9/,
    );
  });
});

describe('Code Climate', () => {
  const issue = {
    type: 'issue',
    check_name: 'no-eval',
    description: 'eval is used',
    fingerprint: 'abc',
    severity: 'major',
    location: { path: './src/a.js', lines: { begin: 4 } },
  };

  it('is read as GitLab writes it', () => {
    const second = {
      ...issue,
      categories: ['Security'],
      severity: 'blocker',
      content: { body: 'Why.' },
      location: { path: 'b.js', positions: { begin: { line: 2 }, end: { line: 3 } } },
    };
    const { runs, mappings } = importRuns(write('gl.json', [issue, second]), names);
    expect(runs[0]?.findings).toEqual([
      {
        id: 'F1',
        title: 'eval is used',
        severity: 'IMPORTANT',
        category: 'no-eval',
        file: 'src/a.js',
        lines: [4, 4],
        labels: [],
      },
      {
        id: 'F2',
        title: 'eval is used',
        description: 'eval is used\nWhy.',
        severity: 'CRITICAL',
        category: 'Security',
        file: 'b.js',
        lines: [2, 3],
        labels: [],
      },
    ]);
    expect(mappings.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      'major → IMPORTANT',
      'blocker → CRITICAL',
      'no-eval → no-eval',
      'Security → Security',
    ]);
  });

  it('may be empty, and may come one issue per line', () => {
    expect(importRuns(write('gl.json', []), names).runs[0]?.findings).toEqual([]);
    expect(importRuns(write('gl.jsonl', `${JSON.stringify(issue)}\n`), names).runs[0]?.findings).toHaveLength(
      1,
    );
  });

  it('with an unknown severity is refused', () => {
    expect(() => importRuns(write('gl.json', [{ ...issue, severity: 'high' }]), names)).toThrow(
      /gl\.json: 0\.severity: "high" is no severity of Code Climate; known are blocker, critical, major, minor, info/,
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
    ['no rule', { ...fail, ruleId: undefined }, /ruleId: is missing; it says the category/],
  ])('with %s is refused', (_, one, message) => {
    expect(() => read(sarif([one]))).toThrow(message);
  });
});
