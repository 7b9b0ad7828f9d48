import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AssayError } from '../../errors.ts';
import { CATEGORIES, SEVERITIES } from '../truth.ts';
import { readTruth } from './import-file.ts';
import { blocksOf, tempFolder } from './testing/temp-folder.ts';
import { hashTruth } from './truth-schema.ts';

const { write } = tempFolder();

const error = {
  id: 'E1',
  severity: 'CRITICAL',
  category: 'ASSUME',
  description: 'Order is assumed.',
  locations: [{ file: './docs\\design.md', section: '3 Delivery', lines: [20, 21] }],
  quote: 'Events arrive in the order',
  accept_categories: ['SKIP'],
};
const truth = {
  task: 'T1',
  version: '1.0',
  errors: [error, { id: 'E2', severity: 'MINOR', category: 'PERF', description: 'Slow.' }],
  traps: [{ id: 'T1', description: 'Announced.', locations: [{ lines: [22, 22] }] }],
};

describe('a ground truth', () => {
  it('is read from JSON', () => {
    expect(readTruth(write('truth.json', truth))).toEqual({
      task: 'T1',
      version: '1.0',
      categories: [...CATEGORIES],
      errors: [
        {
          id: 'E1',
          severity: 'CRITICAL',
          category: 'ASSUME',
          description: 'Order is assumed.',
          locations: [{ file: 'docs/design.md', section: '3 Delivery', lines: [20, 21] }],
          quote: 'Events arrive in the order',
          acceptCategories: ['SKIP'],
        },
        { id: 'E2', severity: 'MINOR', category: 'PERF', description: 'Slow.', locations: [] },
      ],
      traps: [{ id: 'T1', description: 'Announced.', locations: [{ lines: [22, 22] }] }],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('says the same and has the same hash as JSON, YAML and Markdown, as the documentation shows', () => {
    const page = 'docs/formats/workflow-ground-truth.md';
    const [yaml = ''] = blocksOf(page, 'yaml');
    const [markdown = ''] = blocksOf(page, 'markdown');
    const fromYaml = readTruth(write('truth.yaml', yaml));
    const fromMarkdown = readTruth(write('ground-truth.md', markdown));
    expect(fromMarkdown).toEqual(fromYaml);
    expect(fromYaml).toMatchObject({ task: 'T1', version: '1.0', errors: [{ id: 'E1' }, { id: 'E2' }] });
    expect(fromYaml.errors[1]?.locations).toHaveLength(2);
    const json = JSON.stringify(
      {
        traps: fromYaml.traps,
        errors: fromYaml.errors.map(({ acceptCategories, ...one }) => ({
          ...one,
          ...(acceptCategories && { accept_categories: acceptCategories }),
        })),
        version: '1.0',
        task: 'T1',
      },
      null,
      4,
    );
    expect(readTruth(write('truth.json', json)).hash).toBe(fromYaml.hash);
  });

  it('may declare its own categories', () => {
    const own = {
      ...truth,
      categories: ['STYLE'],
      errors: [{ ...error, category: 'STYLE', accept_categories: [] }],
    };
    expect(readTruth(write('truth.json', own)).categories).toEqual(['STYLE']);
  });

  it('keeps what it does not read under properties, outside the hash', () => {
    const plain = readTruth(write('truth.json', truth));
    const more = {
      ...truth,
      properties: { author: 'x' },
      errors: truth.errors.map((one) => ({ ...one, properties: { n: 1 } })),
    };
    expect(readTruth(write('more.json', more))).toEqual(plain);
  });
});

describe('the hash of a ground truth', () => {
  const item = fc.record({
    id: fc.string({ minLength: 1 }),
    severity: fc.constantFrom(...SEVERITIES),
    category: fc.constantFrom(...CATEGORIES),
    description: fc.string(),
    locations: fc.array(fc.record({ file: fc.string(), section: fc.string() }, { requiredKeys: [] }), {
      maxLength: 3,
    }),
  });
  const base = { task: 'T', version: '1', categories: [...CATEGORIES], traps: [] };

  it('does not depend on the order of errors and places', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (errors) => {
        const turned = errors.toReversed().map((one) => ({ ...one, locations: one.locations.toReversed() }));
        expect(hashTruth({ ...base, errors: turned })).toBe(hashTruth({ ...base, errors }));
      }),
    );
  });

  it.each([
    ['the version', { version: '1.1' }],
    ['a severity', { errors: [{ ...error, severity: 'MINOR' }, ...truth.errors.slice(1)] }],
    ['a place', { errors: [{ ...error, locations: [{ file: 'other.md' }] }, ...truth.errors.slice(1)] }],
    ['an error less', { errors: truth.errors.slice(1) }],
    ['a trap less', { traps: [] }],
    ['a category more', { categories: [...CATEGORIES, 'STYLE'] }],
  ])('changes with %s', (_, change) => {
    const before = readTruth(write('a.json', truth)).hash;
    expect(readTruth(write('b.json', { ...truth, ...change })).hash).not.toBe(before);
  });
});

describe('a ground truth is refused, with file, place and remedy,', () => {
  const withError = (change: object) => ({ ...truth, errors: [{ ...error, ...change }] });
  it.each<[string, unknown, RegExp]>([
    [
      'when a severity is unknown',
      withError({ severity: 'HIGH' }),
      /truth\.json: errors\.0\.severity: "HIGH" is not known; it is one of CRITICAL, IMPORTANT, MINOR$/,
    ],
    [
      'when a category is unknown',
      withError({ category: 'STYLE' }),
      /errors\.0\.category: "STYLE" is not known; it is one of SCOPE, ASSUME.* or the file declares its own/,
    ],
    [
      'when lines are reversed',
      withError({ locations: [{ file: 'a.md', lines: [9, 4] }] }),
      /errors\.0\.locations\.0\.lines: \[9,4\] is reversed/,
    ],
    ['when a location says nothing', withError({ locations: [{}] }), /errors\.0\.locations\.0: is empty/],
    [
      'when an id is there twice',
      { ...truth, traps: [{ id: 'E1', description: 'x' }] },
      /traps\.0\.id: "E1" is the id of errors\.0 as well/,
    ],
    [
      'when a key is misspelt',
      withError({ serverity: 'MINOR' }),
      /errors\.0: has the unknown key "serverity"; valid keys are id,/,
    ],
    ['when an id steers the terminal', withError({ id: 'E\u001b[31m' }), /errors\.0\.id: must be one line/],
    [
      'when it is something else',
      { workflow: 'w', findings: [] },
      /truth\.json: .*is no ground truth but a run \(Assay\)/,
    ],
    [
      'when it has a key __proto__',
      `{"task":"T","version":"1","errors":[],"__proto__":{"polluted":1}}`,
      /unknown key "__proto__"/,
    ],
  ])('%s', (_, content, message) => {
    const read = () => readTruth(write('truth.json', content));
    expect(read).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID', remedy: expect.stringContaining('docs/formats/') }),
    );
    expect(read).toThrow(message);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('and counts the further faults', () => {
    expect(() => readTruth(write('truth.json', withError({ severity: 'X', description: '' })))).toThrow(
      /\(and 1 more\)$/,
    );
  });
});

describe('YAML', () => {
  const read = (text: string) => readTruth(write('truth.yaml', text));
  const head = 'task: T1\nversion: "1.0"\n';

  it('names the line of a fault', () => {
    expect(() =>
      read(`${head}errors:\n  - id: E1\n    severity: high\n    category: PERF\n    description: x\n`),
    ).toThrow(/truth\.yaml:5: errors\.0\.severity: "high" is not known/);
  });

  it('keeps the label Y and the word NO text, and a version a text', () => {
    expect(() => read('task: NO\nversion: 1.0\nerrors: []\n')).toThrow(
      /truth\.yaml:2: version: is 1 and should be a text/,
    );
  });

  it.each([
    ['a key given twice', `${head}task: T2\nerrors: []\n`, /truth\.yaml:3 the key "task" is given twice/],
    ['an alias', `${head}errors: &a []\ntraps: *a\n`, /truth\.yaml:4 \*a is an alias; write the value out/],
    ['broken syntax', `${head}errors: [\n`, /truth\.yaml:\d is not YAML/],
    ['an unknown tag', `${head}errors: !!js/function "x"\n`, /truth\.yaml:3 is not YAML/],
    ['nesting without end', `task: ${'['.repeat(30_000)}`, /truth\.yaml/],
    ['two documents', `${head}errors: []\n---\n${head}`, /truth\.yaml/],
  ])('with %s is refused', (_, text, message) => {
    expect(() => read(text)).toThrow(AssayError);
    expect(() => read(text)).toThrow(message);
  });

  it('keeps keys such as __proto__ from reaching any prototype', () => {
    expect(() => read(`${head}errors: []\n__proto__: {polluted: 1}\n`)).toThrow(AssayError);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('a Markdown page', () => {
  const read = (text: string) => readTruth(write('ground-truth.md', text));
  const heading = '# Ground truth: T1, version 2.1\n\n';
  const table =
    '## Expected errors\n\n| id | severity | category | description | lines | quote |\n|--|--|--|--|--|--|\n';

  it('may name task and version in its first heading', () => {
    const page = `${heading}${table}| E1 | MINOR | EDGE | a \\| b<br>c | 3–4 | \`x = "1"\` |\n`;
    expect(read(page)).toMatchObject({
      task: 'T1',
      version: '2.1',
      errors: [{ description: 'a | b\nc', quote: 'x = "1"', locations: [{ lines: [3, 4] }] }],
    });
  });

  it('does not read tables below other headings, nor those in code', () => {
    const other = '## History\n\n| id | date |\n|--|--|\n| E9 | today |\n';
    const code = '## Errors of the past\n\n```\n| id | severity |\n|--|--|\n| E8 | x |\n```\n';
    expect(
      read(`${heading}${other}${code}${table}| E1 | MINOR | EDGE | x | 3 | |\n`).errors.map(({ id }) => id),
    ).toEqual(['E1']);
  });

  it.each([
    ['no table of errors', heading, /ground-truth\.md:1: .*no table below an "Errors" heading/],
    [
      'an unknown severity',
      `${heading}${table}| E1 | HIGH | EDGE | x | 3 | |\n`,
      /ground-truth\.md:7: errors\.0\.severity: "HIGH"/,
    ],
    [
      'a cell too many',
      `${heading}${table}| E1 | MINOR | EDGE | a | b | 3 | q |\n`,
      /ground-truth\.md:7: .*7 cells for 6 columns/,
    ],
    [
      'lines that are none',
      `${heading}${table}| E1 | MINOR | EDGE | a | x-y | q |\n`,
      /ground-truth\.md:7: lines: "x-y" is not a line/,
    ],
    [
      'a row without id',
      `${heading}${table}| | MINOR | EDGE | a | 9 | |\n`,
      /ground-truth\.md:7: .*this row has no id/,
    ],
    [
      'an unknown column',
      `${heading}## Errors\n\n| id | weight |\n|--|--|\n`,
      /ground-truth\.md:5: .*an unknown or duplicate column "weight"/,
    ],
    ['open front matter', `---\ntask: T1\n\n${table}`, /front matter that no line --- ends/],
    [
      'unknown front matter',
      `---\ntask: T1\nowner: x\n---\n${table}`,
      /ground-truth\.md:3: owner: is unknown/,
    ],
  ])('with %s is refused at its line', (_, page, message) => {
    expect(() => read(page)).toThrow(message);
  });
});

describe('a truth with one known case per file', () => {
  const one = {
    task: 'T',
    version: '1',
    identify: 'file',
    errors: [
      { id: 'E1', severity: 'MINOR', category: 'SECURE', description: 'd', locations: [{ file: 'a.java' }] },
    ],
  };

  it('says so in JSON, YAML, Markdown and SARIF', () => {
    const page = [
      '---',
      'task: T',
      'version: "1"',
      'identify: file',
      '---',
      '',
      '## Errors',
      '',
      '| id | severity | category | description | file |',
      '|---|---|---|---|---|',
      '| E1 | MINOR | SECURE | d | a.java |',
    ].join('\n');
    const fromJson = readTruth(write('t.json', one));
    expect(fromJson.identify).toBe('file');
    expect(readTruth(write('u.json', { ...one, identify: undefined })).hash).not.toBe(fromJson.hash);
    expect(readTruth(write('t.md', page)).hash).toBe(fromJson.hash);
    const log = {
      version: '2.1.0',
      runs: [
        { tool: { driver: { name: 'T', version: '1' } }, properties: { identify: 'file' }, results: [] },
      ],
    };
    expect(readTruth(write('t.sarif', log)).identify).toBe('file');
  });

  it('needs a file for each error, and knows no other way', () => {
    const without = { ...one, errors: [{ ...one.errors[0], locations: [{ section: '1' }] }] };
    expect(() => readTruth(write('t.json', without))).toThrow(/errors\.0\.locations: names no file/);
    expect(() => readTruth(write('t.json', { ...one, identify: 'line' }))).toThrow(
      /identify: can only be file/,
    );
  });
});
