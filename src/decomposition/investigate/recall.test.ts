import { describe, expect, it } from 'vitest';
import { findingsFor, goldenWith, outputOf } from './testing/sample.ts';

const missedBy = async (...outputs: Parameters<typeof findingsFor>[0]) => (await findingsFor(outputs)).missed;

describe('a missed concept', () => {
  it('is stated when the text has its label, with sentence and offsets', async () => {
    const missed = await missedBy(outputOf(['tidal marsh']));
    const one = missed.find(({ label }) => label === 'coastal wetland');
    expect(one).toMatchObject({ kind: 'stated', name: 'coastal wetland', required: true, runs: 1 });
    expect(one?.passage).toMatchObject({ from: 19, to: 34, text: 'coastal wetland' });
    expect(one?.passage?.sentence).toBe('A tidal marsh is a coastal wetland.');
  });

  it('is stated under an alias when only another name of it stands there', async () => {
    const [one] = (await missedBy(outputOf(['tidal marsh']))).filter(({ label }) => label === 'halophytes');
    expect(one).toMatchObject({ kind: 'stated under an alias', name: 'salt-tolerant grasses' });
    expect(one?.passage?.text).toBe('Salt-tolerant grasses');
  });

  it('is implied when its words stand near each other but not as a phrase', async () => {
    const [one] = (await missedBy(outputOf(['tidal marsh']))).filter(
      ({ label }) => label === 'marsh restoration',
    );
    expect(one).toMatchObject({ kind: 'implied', required: false });
    expect(one?.passage?.text).toBe('Restoration of a marsh');
  });

  it('is not in the text when its words are not', async () => {
    const golden = goldenWith({
      expectedConcepts: [{ label: 'managed retreat' }],
      expectedRelationships: [],
      forbiddenRelationships: [],
    });
    const { missed } = await findingsFor([outputOf(['tidal marsh'])], golden);
    expect(missed).toEqual([{ label: 'managed retreat', required: true, runs: 1, kind: 'not in the text' }]);
  });

  it('counts the runs that missed it, the most often missed first', async () => {
    const missed = await missedBy(outputOf(['tidal marsh']), outputOf(['coastal wetland', 'salt marsh']));
    expect(missed.map(({ label, runs }) => [label, runs])).toEqual([
      ['halophytes', 2],
      ['sediment trapping', 2],
      ['marsh restoration', 2],
      ['coastal wetland', 1],
    ]);
  });

  it('names what was extracted instead when it shares the head or most words', async () => {
    const missed = await missedBy(outputOf(['wetland', 'sediment trapping rate', 'canary']));
    const near = Object.fromEntries(missed.map(({ label, nearest }) => [label, nearest?.label]));
    expect(near).toEqual({
      'tidal marsh': undefined,
      'coastal wetland': 'wetland',
      halophytes: undefined,
      'sediment trapping': 'sediment trapping rate',
      'marsh restoration': undefined,
    });
  });
});
