import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvidence } from '../evidence.ts';
import type { Finding, FindingLabel } from '../review.ts';
import { runOf, truthOf } from '../testing/build.ts';
import type { KnownError, Trap } from '../truth.ts';
import { examineRun, MATCHER_VERSION } from './examine-run.ts';

function examine(
  errors: readonly Partial<KnownError>[],
  findings: readonly Partial<Finding>[],
  { traps = [], documents }: { traps?: Partial<Trap>[]; documents?: Record<string, string> } = {},
): RunEvidence {
  const options = documents === undefined ? {} : { documents: new Map(Object.entries(documents)) };
  return examineRun(truthOf(errors, traps), runOf(findings), options);
}

const classes = ({ findings }: RunEvidence) => findings.map((finding) => finding.class);
const credits = ({ errors }: RunEvidence) => errors.map((error) => error.credit);
const at = (file: string, from: number, to = from) => ({ file, lines: [from, to] as const });
const by = (author: string, match: FindingLabel['match'], error?: string): FindingLabel => ({
  match,
  by: author,
  error,
});

describe('what identifies an error', () => {
  it('gives full credit for a quote within the quote of the error, white space and Unicode forms aside', () => {
    const evidence = examine(
      [{ quote: 'the cache is never\n   invalidated after a write', locations: [{ section: 'Caching' }] }],
      [{ quote: 'cache is never invalidated', section: '3. Caching' }],
    );
    expect(credits(evidence)).toEqual([1]);
    expect(evidence.edges[0]?.criteria).toEqual(['section', 'quote']);
  });

  it('takes a short quote for nothing unless it is the whole quote at the same place', () => {
    const error = { quote: 'ttl = 0', locations: [{ file: 'a.ts' }] };
    expect(credits(examine([error], [{ quote: 'ttl', file: 'a.ts' }]))).toEqual([0]);
    expect(credits(examine([error], [{ quote: 'ttl = 0', file: 'a.ts' }]))).toEqual([1]);
    expect(credits(examine([error], [{ quote: 'ttl = 0' }]))).toEqual([0]);
  });

  it('gives nothing for the same lines or quote in another file', () => {
    const error = { locations: [at('src/a.ts', 10)], quote: 'return retries + unlimited;' };
    const finding = { ...at('lib/a.ts', 10), quote: 'return retries + unlimited;', category: 'SCOPE' };
    expect(examine([error], [finding]).edges).toEqual([]);
  });

  it('gives half for another category than that of the error, unless the error accepts it', () => {
    const error = { locations: [at('a.ts', 10)], category: 'SECURE', acceptCategories: ['ASSUME'] };
    const said = (category: string) => credits(examine([error], [{ ...at('a.ts', 10), category }]));
    expect([said('SECURE'), said('ASSUME'), said('PERF')]).toEqual([[1], [1], [0.5]]);
  });

  it('knows a file by a diff prefix, another case or other separators, where one file alone can be meant', () => {
    const errors = [{ locations: [at('src/a.ts', 10)] }, { locations: [at('lib/b.ts', 10)] }];
    const found = (file: string) => credits(examine(errors, [at(file, 10)]));
    for (const file of ['a/src/a.ts', 'b/src/a.ts', 'SRC/A.ts', 'src\\a.ts', 'src/a.ts:10', 'a.ts'])
      expect([file, found(file)]).toEqual([file, [1, 0]]);
    expect(credits(examine(errors, [{ file: 'src/a.ts#L9-L10' }]))).toEqual([1, 0]);
  });

  it('takes nothing from a finding that points at everything: many lines, a whole document, many errors at once', () => {
    const errors = Array.from({ length: 12 }, (_, i) => ({
      locations: [at('a.md', 1 + 5 * i)],
      quote: `mistake number ${i} of the plan`,
    }));
    const text = errors.map(({ quote }) => `${quote} and so on, with many more words around it`).join('\n');
    const spam = (finding: Partial<Finding>) =>
      examine(
        errors,
        Array.from({ length: 12 }, (_, i) => ({ ...finding, title: `wrong ${i}` })),
        { documents: { 'a.md': text } },
      );
    expect(credits(spam({ file: 'a.md', quote: text })).every((one) => one === 0)).toBe(true);
    expect(credits(spam(at('a.md', 1, 60))).every((one) => one === 0)).toBe(true);
    expect(credits(spam(at('a.md', 1, 30))).every((one) => one === 0)).toBe(true);
    expect(
      credits(spam({ file: 'a.md', quote: 'and so on, with many more words' })).every((one) => one === 0),
    ).toBe(true);
  });

  it('leaves a bare name that fits two files unresolved', () => {
    const errors = [{ locations: [at('src/a.ts', 10)] }, { locations: [at('lib/a.ts', 10)] }];
    expect(classes(examine(errors, [at('a.ts', 10)]))).toEqual(['UNRESOLVED']);
    expect(credits(examine(errors, [at('repo/lib/a.ts', 10)]))).toEqual([0, 1]);
    // Real folders of these names are no prefixes.
    const real = [{ locations: [at('a/x.ts', 10)] }, { locations: [at('b/x.ts', 10)] }];
    expect(credits(examine(real, [at('b/x.ts', 10)]))).toEqual([0, 1]);
  });

  it('reads curly quotation marks and what a quote leaves out', () => {
    const error = {
      quote: 'the "primary" key is never checked before the row is written',
      locations: [{ file: 'a.md' }],
    };
    const found = (quote: string) => credits(examine([error], [{ file: 'a.md', quote }]));
    expect(found('the \u201cprimary\u201d key is never checked')).toEqual([1]);
    expect(found('key is never checked … row is written')).toEqual([1]);
    expect(found('row is written [...] key is never checked')).toEqual([0]);
  });

  it('takes a finding in the file and of the category for the one case of that file, where the truth says so', () => {
    const truth = truthOf([
      { category: 'SQL', locations: [{ file: 'Case1.java' }] },
      { category: 'SQL', locations: [{ file: 'Case2.java' }] },
    ]);
    const run = runOf([
      { file: 'Case1.java', category: 'SQL' },
      { file: 'Case2.java', category: 'XSS' },
    ]);
    expect(credits(examineRun(truth, run))).toEqual([0.5, 0]);
    expect(credits(examineRun({ ...truth, identify: 'file' }, run))).toEqual([1, 0]);
  });
});

describe('quotes and the reviewed document', () => {
  const document = ['# Plan', '', 'Users sign in with a password.', '', 'Sessions never expire at all.'].join(
    '\n',
  );

  it('places a quote by the document where the error only has lines', () => {
    const error = { locations: [at('plan.md', 5)] };
    const finding = { file: 'plan.md', quote: 'Sessions  never expire' };
    expect(credits(examine([error], [finding]))).toEqual([0]);
    const evidence = examine([error], [finding], { documents: { 'docs/plan.md': document } });
    expect(credits(evidence)).toEqual([1]);
    expect(evidence.edges[0]?.criteria).toEqual(['file', 'quote']);
  });

  it('records a quote that is not in the document, and takes nothing from it', () => {
    const error = { quote: 'Sessions never expire at all.', locations: [{ file: 'plan.md' }] };
    const invented = { file: 'plan.md', quote: 'Sessions never expire at all. Passwords neither.' };
    const evidence = examine([error], [invented], { documents: { 'plan.md': document } });
    expect(credits(evidence)).toEqual([0]);
    expect(evidence.findings[0]).toMatchObject({ class: 'UNRESOLVED', quoteMissing: true });
    expect(examine([error], [invented]).findings[0]).not.toHaveProperty('quoteMissing');
  });

  it('does not place a quote that stands in several places', () => {
    const twice = 'Retry on failure.\n\n\n\n\n\n\n\nRetry on failure.\n';
    const error = { locations: [at('plan.md', 9)] };
    const finding = { file: 'plan.md', quote: 'Retry on failure.' };
    expect(credits(examine([error], [finding], { documents: { 'plan.md': twice } }))).toEqual([0]);
  });
});

describe('partial credit', () => {
  const error = { category: 'SECURE', locations: [{ section: 'Login' }], acceptCategories: ['ASSUME'] };

  it('is given when only the place and the category agree', () => {
    const evidence = examine([error], [{ section: 'login', category: 'SECURE' }]);
    expect(credits(evidence)).toEqual([0.5]);
    expect(evidence.edges).toEqual([
      { finding: 'F1', error: 'E1', strength: 'P', criteria: ['section', 'category'], chosen: true },
    ]);
    expect(credits(examine([error], [{ section: 'login', category: 'ASSUME' }]))).toEqual([0.5]);
  });

  it('is not given for the place or the category alone: that needs a label', () => {
    expect(classes(examine([error], [{ section: 'login' }, { category: 'SECURE' }]))).toEqual([
      'UNRESOLVED',
      'UNRESOLVED',
    ]);
    expect(credits(examine([error], [{ section: 'login', category: 'PERF' }]))).toEqual([0]);
  });

  it('is given for neighbouring lines of the same category, and for nothing further away', () => {
    const there = { category: 'EDGE', locations: [at('a.ts', 10)] };
    const found = (line: number, category?: string) =>
      credits(examine([there], [{ ...at('a.ts', line), ...(category !== undefined && { category }) }]));
    expect([found(13, 'EDGE'), found(7, 'EDGE'), found(14, 'EDGE')]).toEqual([[0.5], [0.5], [0]]);
    expect([found(12, 'PERF'), found(12)]).toEqual([[0], [0]]);
    // The file is all that is known of the finding, or of the error.
    expect(credits(examine([there], [{ file: 'a.ts', category: 'EDGE' }]))).toEqual([0]);
    const inFile = { category: 'EDGE', locations: [{ file: 'a.ts' }] };
    expect(credits(examine([inFile], [{ ...at('a.ts', 7), category: 'EDGE' }]))).toEqual([0.5]);
    const truth = truthOf([there]);
    const far = runOf([{ ...at('a.ts', 20), category: 'EDGE' }]);
    const examined = examineRun(truth, far, { lineTolerance: 10 });
    expect(credits(examined)).toEqual([0.5]);
    expect(examined.matcherVersion).toBe(`${MATCHER_VERSION}+lines.10`);
  });

  it('is not given for the file and the category when the sections are other ones', () => {
    const named = { category: 'EDGE', locations: [{ file: 'a.md', section: 'Login' }] };
    expect(credits(examine([named], [{ file: 'a.md', section: 'Logout', category: 'EDGE' }]))).toEqual([0]);
  });

  it('is given for the section and the category although the lines are off', () => {
    const there = { category: 'EDGE', locations: [{ ...at('a.md', 10), section: 'Login' }] };
    const finding = { ...at('a.md', 400), section: 'Login', category: 'EDGE' };
    expect(credits(examine([there], [finding]))).toEqual([0.5]);
  });

  it('is given to as many findings as there are errors that fit', () => {
    const many = Array.from({ length: 150 }, () => ({ category: 'EDGE', locations: [{ file: 'a.ts' }] }));
    const evidence = examine(
      many,
      many.map(() => ({ file: 'a.ts', category: 'EDGE' })),
    );
    expect(credits(evidence).every((credit) => credit === 0.5)).toBe(true);
  });

  it('never takes an error from a full match', () => {
    const evidence = examine(
      [{ locations: [at('a.ts', 10)], category: 'EDGE' }],
      [{ file: 'a.ts', category: 'EDGE' }, at('a.ts', 10)],
    );
    expect(classes(evidence)).toEqual(['UNRESOLVED', 'MATCHED']);
  });
});

describe('one finding, one error', () => {
  it('credits the first of two identical findings and calls the other a duplicate', () => {
    const finding = { ...at('a.ts', 10), category: 'EDGE' };
    const near = { category: 'EDGE', locations: [at('a.ts', 200)] };
    const evidence = examine([{ category: 'EDGE', locations: [at('a.ts', 10)] }, near], [finding, finding]);
    expect(classes(evidence).toSorted()).toEqual(['DUPLICATE', 'MATCHED']);
    expect(credits(evidence)).toEqual([1, 0]);
  });

  it('never makes two errors of two findings about one: what overlaps one error is not about its neighbour', () => {
    const errors = [{ locations: [at('a.ts', 10)] }, { locations: [at('a.ts', 12)] }];
    const evidence = examine(errors, [at('a.ts', 10), { ...at('a.ts', 10), category: 'SCOPE' }]);
    expect(credits(evidence)).toEqual([1, 0]);
    expect(classes(evidence).toSorted()).toEqual(['DUPLICATE', 'MATCHED']);
    // Beside both, only the nearer one is meant.
    const neighbours = [
      { ...at('a.ts', 9), title: 'one' },
      { ...at('a.ts', 9), title: 'two' },
    ].map((one) => ({
      ...one,
      category: 'SCOPE',
    }));
    expect(credits(examine(errors, neighbours))).toEqual([0.5, 0]);
  });

  it('gives each of two findings its own error where taking the first that fits would lose one', () => {
    const errors = [{ locations: [at('a.ts', 10, 12)] }, { locations: [at('a.ts', 12, 14)] }];
    const evidence = examine(errors, [at('a.ts', 12), at('a.ts', 11)]);
    expect(credits(evidence)).toEqual([1, 1]);
    expect(evidence.findings.map(({ error }) => error)).toEqual(['E2', 'E1']);
  });

  it('leaves a finding whose lines point elsewhere unresolved instead of calling it a duplicate', () => {
    const evidence = examine(
      [{ locations: [at('a.ts', 10)], category: 'EDGE' }],
      [at('a.ts', 10), { ...at('a.ts', 500), category: 'EDGE' }],
    );
    expect(classes(evidence)).toEqual(['MATCHED', 'UNRESOLVED']);
  });
});

describe('traps', () => {
  const trap = { locations: [at('a.ts', 50, 60)], category: 'SECURE' };

  it('make a finding false', () => {
    const evidence = examine([], [at('a.ts', 55)], { traps: [trap] });
    expect(evidence.findings[0]).toMatchObject({ class: 'FALSE', trap: 'T1' });
  });

  it('do not swallow a finding that points at the error beside them', () => {
    const evidence = examine([{ locations: [at('a.ts', 62, 64)] }], [at('a.ts', 62)], { traps: [trap] });
    expect(classes(evidence)).toEqual(['MATCHED']);
  });

  it('make wrong what fits a trap as well as an error', () => {
    const finding = at('a.ts', 55);
    const error = { locations: [at('a.ts', 50, 60)], category: 'SECURE' };
    const evidence = examine([error], [finding], { traps: [trap] });
    expect(evidence.findings[0]).toMatchObject({ class: 'FALSE', trap: 'T1' });
  });

  it('leave undecided what fits a trap and an error alike by place and category', () => {
    const evidence = examine(
      [{ locations: [{ file: 'a.ts' }], category: 'SECURE' }],
      [{ file: 'a.ts', category: 'SECURE' }],
      { traps: [{ ...trap, locations: [{ file: 'a.ts' }] }] },
    );
    expect(classes(evidence)).toEqual(['UNRESOLVED']);
    expect(credits(evidence)).toEqual([0]);
  });
});

describe('labels', () => {
  it('are evidence with an author: they match what no criterion can', () => {
    const evidence = examine([{}], [{ labels: [by('ann', 'P', 'E1')] }]);
    expect(credits(evidence)).toEqual([0.5]);
    expect(evidence.edges[0]).toMatchObject({ strength: 'P', criteria: ['label'], chosen: true });
    expect(evidence.evaluators).toEqual(['ann']);
  });

  it('give an unmatched finding its class; without one it is unresolved, never false', () => {
    const evidence = examine(
      [{}],
      [{ labels: [by('ann', 'BONUS_VALID')] }, { labels: [by('ann', 'FALSE')] }, {}],
    );
    expect(classes(evidence)).toEqual(['BONUS_VALID', 'FALSE', 'UNRESOLVED']);
  });

  it('win over criteria, and the finding says that they differ', () => {
    const evidence = examine(
      [{ locations: [at('a.ts', 10)] }, {}],
      [
        { ...at('a.ts', 10), labels: [by('ann', 'FALSE')] },
        { ...at('a.ts', 10), labels: [by('ann', 'Y', 'E2')] },
      ],
    );
    expect(classes(evidence)).toEqual(['FALSE', 'MATCHED']);
    expect(evidence.findings.map(({ againstCriteria }) => againstCriteria)).toEqual([true, true]);
    expect(credits(evidence)).toEqual([0, 1]);
  });

  it('say so when they name an error that lies somewhere else, and not when nobody knows where', () => {
    const errors = [{ locations: [at('a.ts', 10)] }];
    const labels = [by('ann', 'Y', 'E1')];
    const against = (finding: Partial<Finding>) =>
      examine(errors, [{ ...finding, labels }]).findings.map(({ againstCriteria }) => againstCriteria);
    expect(against(at('z.ts', 10))).toEqual([true]);
    expect(against(at('a.ts', 900))).toEqual([true]);
    expect(against({ file: 'a.ts' })).toEqual([undefined]);
    expect(against({})).toEqual([undefined]);
  });

  it('that disagree are a dispute until a third settles it', () => {
    const two = [by('ann', 'Y', 'E1'), by('bob', 'FALSE')];
    const open = examine([{}], [{ labels: two }]);
    expect(open.findings[0]).toMatchObject({ class: 'UNRESOLVED', disputed: true });
    const lines = { locations: [at('a.ts', 10, 12)], category: 'SECURE' };
    const fits = { ...at('a.ts', 11), labels: two };
    const criteria = examine([lines], [fits]);
    expect([classes(criteria), credits(criteria)]).toEqual([['UNRESOLVED'], [0]]);
    expect(classes(examine([{}], [fits], { traps: [lines] }))).toEqual(['UNRESOLVED']);
    const settled = examine([{}], [{ labels: [...two, by('cat', 'Y', 'E1')] }]);
    expect(settled.findings[0]).toMatchObject({ class: 'MATCHED', error: 'E1' });
    expect(settled.findings[0]?.labels).toHaveLength(3);
  });

  it('refuse an error that the ground truth does not have', () => {
    expect(() => examine([{}], [{ labels: [by('ann', 'Y', 'E9')] }])).toThrow(
      /finding F1 names the error "E9"/,
    );
  });

  it('are of one finding, not of another that reads the same', () => {
    const finding = { title: 'Leaks', ...at('a.ts', 11) };
    const evidence = examine([{}], [finding, { ...finding, labels: [by('ann', 'FALSE')] }]);
    expect(classes(evidence)).toEqual(['UNRESOLVED', 'FALSE']);
  });

  it('credit an error once: a second finding labelled with it is a duplicate', () => {
    const finding = { labels: [by('ann', 'Y', 'E1')] };
    expect(classes(examine([{}], [finding, finding])).toSorted()).toEqual(['DUPLICATE', 'MATCHED']);
  });
});

describe('laws', () => {
  const place = fc.record({
    file: fc.constantFrom('src/a.ts', 'a.ts', 'lib/a.ts', 'b.ts'),
    lines: fc.integer({ min: 1, max: 30 }).map((from) => [from, from + 1] as const),
    category: fc.constantFrom('EDGE', 'PERF'),
  });

  it('credits no error twice and no finding twice, and loses none', () => {
    fc.assert(
      fc.property(
        fc.array(place, { maxLength: 12 }),
        fc.array(place, { maxLength: 12 }),
        (errors, findings) => {
          const evidence = examine(
            errors.map(({ file, lines, category }) => ({ category, locations: [{ file, lines }] })),
            findings,
          );
          const chosen = evidence.edges.filter((edge) => edge.chosen);
          expect(new Set(chosen.map(({ error }) => error)).size).toBe(chosen.length);
          expect(new Set(chosen.map(({ finding }) => finding)).size).toBe(chosen.length);
          expect(evidence.errors.filter(({ credit }) => credit > 0)).toHaveLength(chosen.length);
          expect(evidence.findings).toHaveLength(findings.length);
        },
      ),
    );
  });

  it('never finds less with one finding more', () => {
    fc.assert(
      fc.property(
        fc.array(place, { maxLength: 8 }),
        fc.array(place, { minLength: 1, maxLength: 8 }),
        (errors, findings) => {
          const known = errors.map(({ file, lines, category }) => ({
            category,
            locations: [{ file, lines }],
          }));
          const total = (some: typeof findings) =>
            credits(examine(known, some)).reduce((sum: number, one) => sum + one, 0);
          expect(total(findings)).toBeGreaterThanOrEqual(total(findings.slice(1)));
        },
      ),
    );
  });
});
