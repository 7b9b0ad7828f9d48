import { describe, expect, it } from 'vitest';
import { DOMAINS, lintSuite } from '../src/decomposition/golden/lint-suite.ts';
import { readForLint } from '../src/decomposition/golden/read-for-lint.ts';

const { cases, findings } = readForLint('golden');

describe('the golden suite', () => {
  it('keeps every rule of its own lint', () => {
    expect([...findings, ...lintSuite(cases)]).toEqual([]);
  });

  it('has 20 cases or more, at least four in each domain', () => {
    expect(cases.length).toBeGreaterThanOrEqual(20);
    for (const domain of DOMAINS) {
      expect(cases.filter(({ golden }) => golden.domain === domain).length, domain).toBeGreaterThanOrEqual(4);
    }
  });

  it.each(cases.map(({ file, golden }) => [file, golden] as const))(
    '%s gives evidence for every relationship',
    (file, golden) => {
      expect(file).toBe(`${golden.id}.gold.json`);
      expect(golden.expectedRelationships.filter((edge) => edge.evidence === undefined)).toEqual([]);
    },
  );
});
