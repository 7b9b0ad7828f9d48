import { describe, expect, it } from 'vitest';
import { findingsFor, goldenWith, outputOf } from './testing/sample.ts';

describe('an unexpected concept', () => {
  it('is a canary, a near miss, in the text, implied by it, or not in it', async () => {
    const { extras } = await findingsFor([
      outputOf([
        'Salinity memory',
        'wetland',
        'tidal flow',
        'water supply',
        'blue carbon market',
        'tidal marsh',
      ]),
    ]);
    expect(extras.map(({ label, kind }) => [label, kind])).toEqual([
      ['Salinity memory', 'canary'],
      ['wetland', 'near miss'],
      ['tidal flow', 'in the text'],
      ['water supply', 'implied'],
      ['blue carbon market', 'not in the text'],
    ]);
    expect(extras[0]).toMatchObject({ canary: 'salinity memory' });
    expect(extras[1]?.near).toEqual({ expected: 'coastal wetland', why: 'shares 1 of 2 words and the head' });
    expect(extras[2]?.passage?.sentence).toBe('Restoration of a marsh requires tidal flow.');
  });

  it('is a near miss with the level that would recognise it', async () => {
    const golden = goldenWith({
      sourceText: 'Sea-level rise drowns a marsh.',
      expectedConcepts: [{ label: 'sea-level rise' }],
      expectedRelationships: [],
      forbiddenRelationships: [],
    });
    const strict = await findingsFor([outputOf(['SLR'])], golden, 'alias');
    expect(strict.extras).toMatchObject([
      { label: 'SLR', kind: 'near miss', near: { expected: 'sea-level rise', level: 'acronym' } },
    ]);
    expect(strict.missed[0]?.nearest?.label).toBe('SLR');
    expect((await findingsFor([outputOf(['SLR'])], golden, 'acronym')).extras).toEqual([]);
  });

  it('is one, in whatever spelling, with how often and in how many runs', async () => {
    const { extras } = await findingsFor([outputOf(['tidal flow', 'Tidal flows']), outputOf(['TIDAL FLOW'])]);
    expect(extras).toMatchObject([{ label: 'tidal flow', count: 3, runs: 2 }]);
  });

  it('is not what says an expected concept twice: that is a duplicate', async () => {
    const { extras, duplicates } = await findingsFor([outputOf(['tidal marsh', 'salt marsh'])]);
    expect(extras).toEqual([]);
    expect(duplicates).toEqual([{ expected: 'tidal marsh', labels: ['salt marsh'], count: 1 }]);
  });
});
