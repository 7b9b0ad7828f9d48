import { describe, expect, it } from 'vitest';
import { findingsFor, goldenWith, outputOf } from './testing/sample.ts';

const labelsOf = (findings: Awaited<ReturnType<typeof findingsFor>>, kind: string) =>
  findings.suspicions.filter((one) => one.kind === kind).map(({ label }) => label);

describe('a golden case is suspected', () => {
  it('when most runs extract what the text says and the case does not expect', async () => {
    const findings = await findingsFor([
      outputOf(['tidal flow', 'sediment supply', 'ocean mining']),
      outputOf(['tidal flow', 'ocean mining']),
      outputOf(['Tidal flows', 'mud']),
    ]);
    expect(labelsOf(findings, 'concept missing')).toEqual(['tidal flow']);
  });

  it('when no run ever finds what it expects', async () => {
    const findings = await findingsFor([
      outputOf(['tidal marsh', 'halophytes']),
      outputOf(['coastal wetland']),
    ]);
    expect(labelsOf(findings, 'never found')).toEqual(['sediment trapping', 'marsh restoration']);
  });

  it('not by one run, nor by runs that only repeat themselves', async () => {
    const one = outputOf(['tidal flow']);
    for (const outputs of [[one], [one, { ...one, latencyMs: 5 }, one]]) {
      const findings = await findingsFor(outputs);
      expect(labelsOf(findings, 'concept missing')).toEqual([]);
      expect(labelsOf(findings, 'never found')).toEqual([]);
    }
  });

  it('when an alias seems to be missing: by acronym, or by brackets in the text', async () => {
    const golden = goldenWith({
      sourceText: 'Sea-level rise drowns it. Blue storage (marsh carbon) grows.',
      expectedConcepts: [{ label: 'sea-level rise' }, { label: 'blue storage' }],
      expectedRelationships: [],
      forbiddenRelationships: [],
    });
    const findings = await findingsFor([outputOf(['SLR', 'marsh carbon', 'mud'])], golden);
    expect(labelsOf(findings, 'alias missing')).toEqual(['SLR', 'marsh carbon']);
  });

  it('when it expects what the text lacks or forbids what the text has', async () => {
    const golden = goldenWith({
      expectedConcepts: [{ label: 'managed retreat' }],
      expectedRelationships: [],
      forbiddenConcepts: ['Tidal flows'],
      forbiddenRelationships: [],
    });
    const findings = await findingsFor([outputOf(['mud'])], golden);
    expect(labelsOf(findings, 'expected, not in the text')).toEqual(['managed retreat']);
    expect(labelsOf(findings, 'canary in the text')).toEqual(['Tidal flows']);
  });
});
