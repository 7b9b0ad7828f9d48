import { describe, expect, it } from 'vitest';
import { tempFolder } from '../ingest/testing/temp-folder.ts';
import { authorRows, categoryRows, inspect } from './inspect.ts';

const { at, write } = tempFolder();

const error = (id: string, more: object = {}) => ({
  id,
  severity: 'CRITICAL',
  category: 'EDGE',
  description: `${id} is wrong`,
  locations: [{ file: 'design.md', lines: [Number(id.slice(1)) * 10, Number(id.slice(1)) * 10] }],
  ...more,
});
const truth = (errors: object[], more: object = {}) => ({
  task: 'T1',
  version: '1.0',
  categories: ['EDGE'],
  errors,
  ...more,
});
const finding = (id: string, more: object = {}) => ({
  id,
  title: `Finding ${id}`,
  depth: 'CAUSE',
  file: 'design.md',
  ...more,
});
const run = (id: number, findings: object[], more: object = {}) => ({
  workflow: 'v1',
  task: 'T1',
  run: id,
  model: 'm',
  agent_tokens: 1,
  workflow_tokens: 1,
  findings,
  ...more,
});
const rulesOf = (paths: string[], options = {}) =>
  inspect(paths, options).findings.map(({ level, rule, place }) => `${level} ${rule} ${place}`);
const many = Array.from({ length: 32 }, (_, i) => error(`E${i + 1}`));

describe('a ground truth', () => {
  const rules = (content: object, options = {}) => rulesOf([write('truth.json', content)], options);

  it('warns about an error that nothing but a label can match', () => {
    expect(rules(truth([...many, error('E40', { locations: [] })]))).toEqual(['warning no-place E40']);
    expect(rules(truth([...many, error('E40', { locations: [], quote: 'a verbatim piece' })]))).toEqual([]);
  });

  it('warns about two errors at the same lines, also across one that lies between', () => {
    const at = (id: string, from: number, to: number) =>
      error(id, { locations: [{ file: 'design.md', lines: [from, to] }] });
    const three = [at('E50', 500, 520), at('E51', 502, 503), at('E52', 519, 530), at('E53', 531, 540)];
    expect(rules(truth([...many, ...three]))).toEqual(['warning overlap E51', 'warning overlap E52']);
    const elsewhere = error('E54', { locations: [{ file: 'other.md', lines: [10, 10] }] });
    expect(rules(truth([...many, elsewhere]))).toEqual(['note few-documents errors']);
  });

  it('notes what it cannot show: empty categories, no critical error, few errors', () => {
    const content = truth([error('E1', { severity: 'MINOR' })], { categories: ['EDGE', 'PERF'] });
    expect(rules(content)).toEqual([
      'note empty-category categories',
      'note no-critical errors',
      'note few-errors errors',
    ]);
    expect(rules(truth([]))).toEqual(['note no-errors errors']);
  });

  it('warns about few errors when a number is asked for, and says what they show', () => {
    // 12 errors: (1.96 + 0.84) · 0.4 / √12 = 0.32.
    const { findings } = inspect([write('truth.json', truth(many.slice(0, 12)))], { minErrors: 20 });
    expect(findings).toMatchObject([
      {
        level: 'warning',
        rule: 'few-errors',
        message: expect.stringContaining('12 of 20 errors: a difference under 32 points'),
      },
    ]);
  });

  it('counts documents, not errors, where the errors lie in several', () => {
    const in_ = (files: number, n: number) =>
      Array.from({ length: n }, (_, i) =>
        error(`E${i}`, { locations: [{ file: `f${i % files}.md`, lines: [20 * i + 1, 20 * i + 1] }] }),
      );
    const said = (files: number, n: number) => {
      const { findings } = inspect([write('truth.json', truth(in_(files, n)))]);
      return findings.filter(({ rule }) => rule.startsWith('few')).map(({ message }) => message);
    };
    expect(said(5, 200)).toEqual([expect.stringMatching(/^200 errors lie in 5 documents: 6 documents/)]);
    // 8 documents: (1.96 + 0.84) · 0.4 / √8 = 0.40, where 24 errors alone would show 0.23.
    expect(said(8, 24)).toEqual([expect.stringContaining('a difference under 40 points')]);
  });

  it('is held against the reviewed documents', () => {
    write(
      'docs/design.md',
      Array.from({ length: 400 }, (_, i) => `Line ${i + 1} says something.`).join('\n'),
    );
    const quoted = (quote: string, lines: number[]) => ({ quote, locations: [{ file: 'design.md', lines }] });
    const content = truth([
      ...many,
      error('E40', quoted('Line 399 says something.', [399, 399])),
      error('E41', quoted('Line 1000 says', [5, 5])),
      error('E42', quoted('Line 7 says\n  something.', [9, 9])),
      error('E43', quoted('says', [4, 4])),
      error('E44', { locations: [{ file: 'design.md', lines: [398, 500] }] }),
      error('E45', { locations: [{ file: 'absent.md' }] }),
    ]);
    expect(rules(content, { documents: at('docs') })).toEqual([
      'warning overlap E40',
      'warning quote-not-found E41',
      'warning quote-elsewhere E42',
      'warning short-quote E43',
      'warning lines-beyond-end E44',
      'warning unknown-document E45',
      'note few-documents errors',
    ]);
  });

  it('differs from another version of itself', () => {
    const files = [write('a.json', truth(many)), write('b.json', truth(many.slice(1), { version: '1.1' }))];
    expect(rulesOf(files)).toContain('warning other-version version 1.1');
    expect(rulesOf([files[0] as string, write('c.yaml', JSON.stringify(truth(many), null, 2))])).toEqual([]);
  });
});

describe('runs', () => {
  const three = () => [1, 2, 3].map((n) => write(`runs/${n}.json`, run(n, [finding(`F${n}`)])));

  it('are held against the ground truth of their task', () => {
    const label = (error: string) => ({ label: { match: 'Y', error, by: 'ann' } });
    const files = [
      write('truth.json', truth(many)),
      ...three(),
      write('runs/4.json', run(4, [finding('F1', label('E99')), finding('F2', { category: 'STYLE' })])),
    ];
    expect(rulesOf(files)).toEqual(['error other-truth findings.0.label', 'note strange-category findings']);
    const other = [
      write('truth.json', truth(many)),
      ...three(),
      write('runs/4.json', run(4, [], { truth_version: '0.9' })),
    ];
    expect(rulesOf(other)).toEqual(['error other-truth truth_version', 'note silence findings']);
  });

  it('are errors when they are there twice', () => {
    write('again.json', run(1, [finding('F9')]));
    expect(rulesOf([...three(), at('again.json')])).toEqual(['error format run']);
    expect(rulesOf([...three(), write('copy.json', run(1, [finding('F1')]))])).toEqual([
      'error format the whole document',
      'error format run',
      'warning identical-runs run 1',
    ]);
  });

  it('warn when findings or whole runs repeat', () => {
    const twin = finding('F1', { title: 'Same' });
    write('runs/1.json', run(1, [twin, { ...twin, id: 'F2' }]));
    write('runs/2.json', run(2, [twin]));
    write('runs/3.json', run(3, [twin]));
    expect(rulesOf([at('runs')])).toEqual(['warning identical-findings F2', 'warning identical-runs run 3']);
  });

  it('note silence, missing places, depths and tokens, open disputes, several models, and too few', () => {
    const labels = [
      { match: 'FALSE', by: 'ann' },
      { match: 'BONUS_VALID', by: 'bob' },
    ];
    write('runs/1.json', run(1, []));
    write(
      'runs/2.json',
      run(2, [{ id: 'F1', title: 'Somewhere' }, finding('F2', { labels })], {
        agent_tokens: undefined,
        model: 'n',
      }),
    );
    expect(rulesOf([at('runs')])).toEqual([
      'note silence findings',
      'note no-place findings',
      'note disputed labels',
      'note no-depth findings',
      'note no-tokens tokens',
      'note few-runs v1 on T1',
      'note several-models v1 on T1',
    ]);
  });

  it('of other tools need no names to be checked', () => {
    const log = {
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'x' } }, results: [{ message: { text: 'm' }, level: 'fatal' }] }],
    };
    expect(inspect([write('x.sarif', log)]).findings).toMatchObject([
      { level: 'error', rule: 'format', place: 'runs.0.results.0.level' },
    ]);
  });
});

describe('what is in the files', () => {
  it('is told by their content', () => {
    const sarif = (kind: string) => ({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: kind } }, results: [{ ruleId: 'R', kind, message: { text: 'm' } }] }],
    });
    write('e/truth/T1.json', truth(many));
    write('e/runs/v1/T1/1.json', run(1, []));
    const { truths, runs, experiments } = inspect([
      write('a.sarif', sarif('pass')),
      write('b.sarif', sarif('fail')),
      at('e'),
    ]);
    expect(truths.map((one) => one.truth.task)).toEqual(['pass', 'T1']);
    expect(runs.map(({ workflow }) => workflow)).toEqual(['fail', 'v1']);
    expect(experiments).toEqual([{ path: at('e'), name: 'e' }]);
    expect(inspect([at('b.sarif')], { as: 'truth' }).truths).toHaveLength(1);
  });

  it('is unreadable when it says nothing', () => {
    const files = [
      write('a.json', '{'),
      write('b.yaml', 'a: ['),
      write('c.json', { x: 1 }),
      write('d.log', ''),
      at('absent.json'),
    ];
    expect(inspect(files).unreadable.map(({ file }) => file)).toEqual(files);
  });

  it('is every fault of a broken file, not only the first', () => {
    const broken = truth([error('E1', { severity: 'HIGH' }), error('E2', { severity: 'LOW' })]);
    expect(rulesOf([write('truth.json', broken)])).toEqual([
      'error format errors.0.severity',
      'error format errors.1.severity',
    ]);
  });

  it('is counted by category and severity, and by author', () => {
    const label = (by: string, match: string) => ({
      label: { match, by, ...(match === 'Y' && { error: 'E1' }) },
    });
    const { truths, runs } = inspect([
      write(
        'truth.json',
        truth([error('E1'), error('E2', { severity: 'MINOR' })], { categories: ['PERF', 'EDGE'] }),
      ),
      write(
        'run.json',
        run(1, [
          finding('F1', label('ann', 'Y')),
          finding('F2', label('ann', 'FALSE')),
          finding('F3', label('bob', 'Y')),
        ]),
      ),
    ]);
    expect(categoryRows(truths.map((one) => one.truth))).toEqual([
      { category: 'EDGE', CRITICAL: 1, IMPORTANT: 0, MINOR: 1, all: 2 },
      { category: 'PERF', CRITICAL: 0, IMPORTANT: 0, MINOR: 0, all: 0 },
    ]);
    expect(authorRows(runs)).toMatchObject([
      { author: 'ann', Y: 1, FALSE: 1, all: 2 },
      { author: 'bob', Y: 1, all: 1 },
    ]);
  });
});
