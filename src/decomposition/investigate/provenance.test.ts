import { describe, expect, it } from 'vitest';
import { MOST_LOOKED_UP } from './provenance.ts';
import { findingsFor, outputOf } from './testing/sample.ts';

async function faultOf(sourceQuote: string | undefined) {
  const concept = { label: 'tidal marsh', sourceQuote };
  const { quotes } = await findingsFor([outputOf([concept])]);
  return quotes[0];
}

describe('a quote that is not verified', () => {
  it('is missing, or too short to prove anything', async () => {
    expect(await faultOf(undefined)).toEqual({ label: 'tidal marsh', kind: 'missing', count: 1 });
    expect(await faultOf('  ')).toMatchObject({ kind: 'missing' });
    expect(await faultOf('marsh')).toMatchObject({ kind: 'too short', quote: 'marsh' });
    expect(await faultOf('A tidal marsh is a coastal wetland.')).toBeUndefined();
  });

  it('is truncated when words were left out, with dots or without, also in the middle of a word', async () => {
    expect(await faultOf('Salt-tolerant grasses … causes sediment trapping')).toMatchObject({
      kind: 'truncated',
      nearest: { leftOut: ['slow', 'the', 'water', 'and', 'slow', 'water'], added: [] },
    });
    const silent = await faultOf('Sea-level rise drowns a marsh that has no supply');
    expect(silent).toMatchObject({ kind: 'truncated', nearest: { leftOut: ['SLR', 'sediment'] } });
    expect(silent?.nearest?.passage.text).toBe(
      'Sea-level rise (SLR) drowns a marsh that has no sediment supply',
    );
    expect(await faultOf('Salt-tolerant grasses slow the wat...')).toMatchObject({ kind: 'truncated' });
  });

  it('is spelled differently when every word is there', async () => {
    const fault = await faultOf('SEDIMENT TRAPPING raises the marshes');
    expect(fault).toMatchObject({ kind: 'spelled differently', nearest: { leftOut: [], added: [] } });
    expect(fault?.nearest?.passage.text).toBe('Sediment trapping raises the marsh');
  });

  it('is paraphrased when most of its words are there, with what differs', async () => {
    const fault = await faultOf('Restoration of such a marsh always needs tidal flow');
    expect(fault).toMatchObject({
      kind: 'paraphrased',
      nearest: { shared: 4, of: 7, leftOut: ['requires'], added: ['such', 'always', 'needs'] },
    });
    expect(fault?.nearest?.passage.text).toBe('Restoration of a marsh requires tidal flow');
  });

  it('is not from the text when its words are not', async () => {
    expect(await faultOf('Peat forms where plant matter decays without any oxygen')).toMatchObject({
      kind: 'not from the text',
    });
    expect(await faultOf('！！！！！！！！！！！！！！')).toMatchObject({ kind: 'not from the text' });
  });

  it('is looked up so often and no more, and what was not says so', async () => {
    const concepts = Array.from({ length: MOST_LOOKED_UP + 5 }, (_, i) => ({
      label: `thing ${i}`,
      sourceQuote: `nothing like the text at all ${i}`,
    }));
    const { quotes } = await findingsFor([outputOf(concepts)]);
    expect(quotes.filter(({ kind }) => kind === 'not looked up')).toHaveLength(5);
    expect(quotes).toHaveLength(MOST_LOOKED_UP + 5);
  });

  it('compares no more than the start of a quote as long as a chapter', async () => {
    const fault = await faultOf('water marsh '.repeat(1600));
    expect(fault?.quote).toHaveLength(1000);
    expect(fault?.nearest?.of).toBeLessThanOrEqual(200);
  });
});
