import { describe, expect, it } from 'vitest';
import { findingsFor, goldenWith, outputOf } from './testing/sample.ts';

const ALL = ['tidal marsh', 'coastal wetland', 'halophytes', 'sediment trapping', 'marsh restoration'];

async function wrongOf(concepts: string[], ...edges: string[]) {
  const { relationships } = await findingsFor([outputOf(concepts, edges)]);
  return relationships;
}

describe('a wrong relationship', () => {
  it.each([
    ['coastal-wetland CAUSES halophytes', 'forbidden', undefined],
    ['tidal-marsh CAUSES coastal-wetland', 'wrong predicate', 'IS_A'],
    ['coastal-wetland IS_A tidal-marsh', 'reversed', 'IS_A'],
    ['coastal-wetland REQUIRES tidal-marsh', 'reversed and wrong predicate', 'IS_A'],
    ['tidal-marsh CAUSES sediment-trapping', 'wrong predicate', 'RELATES_TO'],
    ['coastal-wetland RELATES_TO tidal-marsh', 'wrong predicate', 'IS_A'],
    ['halophytes IS_A coastal-wetland', 'pair not expected', undefined],
    ['tidal-marsh IS_A tidal-marsh', 'pair not expected', undefined],
  ])('%s: %s', async (edge, kind, expected) => {
    const { wrong } = await wrongOf(ALL, edge);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]).toMatchObject({ kind, count: 1, runs: 1, ...(expected && { expected }) });
  });

  it('has an end that is no expected concept, and says which', async () => {
    const { wrong } = await wrongOf([...ALL, 'salinity memory', 'mud'], 'mud CAUSES salinity-memory');
    expect(wrong).toMatchObject([
      { kind: 'end not matched', unmatched: ['mud', 'salinity memory (a canary)'] },
    ]);
  });

  it('is not the repetition of a right one, also through another name', async () => {
    const { wrong } = await wrongOf(
      [...ALL, 'salt marsh'],
      'tidal-marsh IS_A coastal-wetland',
      'salt-marsh IS_A coastal-wetland',
    );
    expect(wrong).toEqual([]);
  });

  it('is not RELATES_TO in the other direction', async () => {
    const { wrong, confusion } = await wrongOf(ALL, 'tidal-marsh RELATES_TO sediment-trapping');
    expect(wrong).toEqual([]);
    expect(confusion).toContainEqual({ expected: 'RELATES_TO', extracted: 'RELATES_TO', count: 1 });
  });
});

describe('a missed relationship', () => {
  it('was reversed, has another predicate, an end that was missed, or was not extracted at all', async () => {
    const { missed } = await wrongOf(
      ALL.slice(0, 4),
      'coastal-wetland IS_A tidal-marsh',
      'sediment-trapping PRECEDES tidal-marsh',
    );
    expect(missed.map(({ source, kind }) => [source, kind])).toEqual([
      ['tidal marsh', 'reversed'],
      ['halophytes', 'pair not extracted'],
      ['sediment trapping', 'wrong predicate'],
      ['marsh restoration', 'end missed'],
    ]);
  });

  it('brings the words of the text that the golden case has', async () => {
    const golden = goldenWith({
      expectedRelationships: [
        {
          source: 'tidal marsh',
          target: 'coastal wetland',
          predicate: 'IS_A',
          evidence: 'is a coastal wetland',
        },
      ],
    });
    const { relationships } = await findingsFor([outputOf(ALL), outputOf(['mud'])], golden);
    expect(relationships.missed).toMatchObject([{ runs: 2, evidence: 'is a coastal wetland' }]);
  });
});

it('counts which predicate was taken for which, and what was not extracted', async () => {
  const { confusion } = await wrongOf(
    ALL,
    'tidal-marsh IS_A coastal-wetland',
    'halophytes REQUIRES sediment-trapping',
  );
  expect(
    new Set(confusion.map(({ expected, extracted, count }) => `${expected} ${extracted} ${count}`)),
  ).toEqual(
    new Set(['IS_A IS_A 1', 'CAUSES REQUIRES 1', 'RELATES_TO not extracted 1', 'REQUIRES not extracted 1']),
  );
});
