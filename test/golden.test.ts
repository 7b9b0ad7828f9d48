import { describe, expect, it } from 'vitest';
import { lintSuite, readForLint } from '../src/decomposition/golden/lint-suite.ts';
import { GOLDEN_RULES } from '../src/decomposition/golden-rules.ts';
import { normalise } from '../src/decomposition/match/normalise.ts';

const { cases, findings } = readForLint('golden', GOLDEN_RULES);

describe('the golden suite', () => {
  it('keeps every rule of its own lint', () => {
    expect([...findings, ...lintSuite(cases)]).toEqual([]);
  });

  it('has 20 cases or more, at least four in each domain', () => {
    expect(cases.length).toBeGreaterThanOrEqual(20);
    for (const domain of GOLDEN_RULES.domains) {
      expect(cases.filter(({ golden }) => golden.domain === domain).length, domain).toBeGreaterThanOrEqual(4);
    }
  });

  it.each(cases.map(({ file, golden }) => [file, golden] as const))(
    '%s gives evidence for every relationship, in words that name both ends',
    (file, golden) => {
      expect(file).toBe(`${golden.id}.gold.json`);
      const unnamed = golden.expectedRelationships.filter(({ source, target, evidence = '' }) => {
        const quote = ` ${normalise(evidence)} `;
        return ![source, target].every((end) =>
          golden.expectedConcepts
            .filter(({ label }) => label === end)
            .some(({ label, aliases }) =>
              [label, ...aliases].some((name) => quote.includes(` ${normalise(name)} `)),
            ),
        );
      });
      expect(unnamed).toEqual([]);
    },
  );

  it('asks for as many concepts as a text has, not for the same number everywhere', () => {
    const numbers = new Set(cases.map(({ golden }) => golden.expectedConcepts.length));
    expect(numbers.size).toBeGreaterThanOrEqual(5);
  });
});
