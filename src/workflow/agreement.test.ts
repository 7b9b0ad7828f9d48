import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelAgreement, resolveLabels } from './agreement.ts';
import { type FindingLabel, LABELS } from './review.ts';

const yes = (by: string, error = 'E1'): FindingLabel => ({ match: 'Y', error, by });
const part = (by: string, error = 'E1'): FindingLabel => ({ match: 'P', error, by });
const wrong = (by: string): FindingLabel => ({ match: 'FALSE', by });

describe('resolveLabels', () => {
  it('has no decision without a label', () => {
    expect(resolveLabels([])).toEqual({ state: 'none', disputed: false, labels: [] });
  });

  it('takes two labels that agree, and the first one stands with its reason', () => {
    const first = { ...yes('ada'), reason: 'same quote' };
    expect(resolveLabels([first, yes('bob')])).toMatchObject({ state: 'agreed', decision: first });
  });

  it.each([
    ['class', [yes('ada'), wrong('bob')]],
    ['strength', [yes('ada'), part('bob')]],
    ['error', [yes('ada', 'E1'), yes('bob', 'E2')]],
    ['whether it can be told at all', [yes('ada'), { match: 'UNRESOLVED', by: 'bob' } as const]],
  ])('leaves two labels that disagree in %s disputed until a third', (_, labels) => {
    const { decision, ...rest } = resolveLabels(labels);
    expect(decision).toBeUndefined();
    expect(rest).toEqual({ state: 'disputed', disputed: true, labels });
  });

  it('takes the majority of three and keeps all three', () => {
    const labels = [yes('ada'), wrong('bob'), yes('cay')];
    expect(resolveLabels(labels)).toEqual({
      state: 'majority',
      decision: yes('ada'),
      disputed: false,
      labels,
    });
  });

  it('stays disputed when three say three things, or four are split in half', () => {
    expect(resolveLabels([yes('ada'), wrong('bob'), part('cay')]).disputed).toBe(true);
    expect(resolveLabels([yes('a'), yes('b'), wrong('c'), wrong('d')]).disputed).toBe(true);
  });

  it('counts an author once, by the later label', () => {
    expect(resolveLabels([yes('ada'), wrong('ada')])).toMatchObject({
      state: 'single',
      decision: wrong('ada'),
    });
    expect(resolveLabels([yes('ada'), wrong('bob'), yes('ada')]).disputed).toBe(true);
  });

  it('agrees on a duplicate whatever finding it repeats', () => {
    const labels: FindingLabel[] = [
      { match: 'DUPLICATE', by: 'ada', error: 'E1' },
      { match: 'DUPLICATE', by: 'bob' },
    ];
    expect(resolveLabels(labels).state).toBe('agreed');
  });

  it('decides the same opinion in any order of authors', () => {
    const label = fc.record({ match: fc.constantFrom(...LABELS), error: fc.constantFrom('E1', 'E2') });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 5 }), (given) => {
        const labels = given.map((one, i) => ({ ...one, by: `author-${i}` }));
        const [there, back] = [resolveLabels(labels), resolveLabels(labels.toReversed())];
        expect(back.state).toBe(there.state);
        expect(back.decision?.match).toBe(there.decision?.match);
        // Decided and disputed exclude each other, and together they cover every labelled finding.
        expect(there.disputed).toBe(labels.length > 0 && there.decision === undefined);
      }),
    );
  });
});

describe('labelAgreement', () => {
  // Cohen's worked value in src/stats: yes yes no no against yes no no no → kappa 0.5.
  const findings = [
    { labels: [yes('ada'), yes('bob')] },
    { labels: [yes('ada'), wrong('bob'), yes('cay')] },
    { labels: [wrong('ada'), wrong('bob')] },
    { labels: [wrong('ada'), wrong('bob')] },
    { labels: [] },
  ];

  it('gives kappa for each pair with the findings that both labelled', () => {
    const { pairs, authors } = labelAgreement(findings);
    expect(authors).toEqual(['ada', 'bob', 'cay']);
    expect(pairs.map(({ authors, n }) => [...authors, n])).toEqual([['ada', 'bob', 4]]);
    expect(pairs[0]?.kappa).toMatchObject({ measured: true, value: 0.5, n: 4 });
    expect(pairs[0]?.same).toMatchObject({ value: 0.75 });
  });

  it('leaves who labelled only what others dispute out of the agreement', () => {
    const { settlers, alpha } = labelAgreement(findings);
    expect(settlers).toEqual(['cay']);
    // ada and bob: unequal ordered pairs 2; by chance, with 3 labels Y and 5 FALSE of 8: (8² − 3² − 5²) / 7.
    expect(alpha).toMatchObject({ measured: true, n: 4 });
    expect(alpha.measured && alpha.value).toBeCloseTo(1 - 2 / (30 / 7), 12);
    // Three who labelled everything are independent, even if they disagree on all of it.
    expect(labelAgreement([{ labels: [yes('ada'), wrong('bob'), part('cay')] }]).settlers).toEqual([]);
  });

  it('gives alpha over all authors with their gaps', () => {
    const gaps = [...findings, { labels: [wrong('bob'), wrong('cay')] }];
    // Unequal ordered pairs: only the second finding has some, 3² − 2² − 1² = 4, over 3 − 1 raters = 2.
    // By chance, with 4 labels Y and 7 FALSE of 11: (11² − 4² − 7²) / 10 = 5.6. Alpha = 1 − 2 / 5.6.
    const { alpha, settlers, pairs } = labelAgreement(gaps);
    expect(settlers).toEqual([]);
    expect(alpha).toMatchObject({ measured: true, n: 5 });
    expect(alpha.measured && alpha.value).toBeCloseTo(1 - 2 / 5.6, 12);
    expect(pairs.map(({ n }) => n)).toEqual([4, 1, 2]);
  });

  it('counts the disputes that a third label settled and those still open', () => {
    expect(labelAgreement(findings)).toMatchObject({ findings: 4, settled: 1, disputed: 0 });
    expect(labelAgreement([{ labels: [yes('ada'), wrong('bob')] }])).toMatchObject({
      settled: 0,
      disputed: 1,
    });
  });

  it('says why there is no agreement to measure', () => {
    expect(labelAgreement([{ labels: [yes('ada')] }]).alpha).toEqual({
      measured: false,
      reason: 'fewer than two independent authors',
    });
    const same = labelAgreement([{ labels: [yes('ada'), yes('bob')] }]);
    expect(same.alpha.measured).toBe(false);
    expect(same.pairs[0]?.kappa.measured).toBe(false);
    expect(same.pairs[0]?.same).toMatchObject({ value: 1, n: 1 });
  });
});
