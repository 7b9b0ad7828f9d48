import { describe, expect, it } from 'vitest';
import type { QuoteCheck } from '../evidence.ts';
import { placed, searchable, verifyQuote } from './verify-quote.ts';

const TEXT =
  'Tidal marshes store carbon in their soil. They also slow storm surges and cause sediment to settle. ' +
  'Dikes cut marshes off from the tide. Without new sediment the soil oxidises, and the carbon returns to the air.';

const stateOf = (quote: string, ...names: string[]) =>
  say(placed(verifyQuote(quote, searchable(TEXT), names[0]), TEXT, names));
const say = (check: QuoteCheck) =>
  check.state === 'verified' && check.unnamed !== undefined ? `verified, ${check.unnamed}` : check.state;

describe('the place of a quote', () => {
  it('speaks of the concept that it is quoted for, by its label or another name', () => {
    expect(stateOf('slow storm surges', 'storm surge')).toBe('verified');
    expect(stateOf('Dikes cut marshes off', 'embankment', 'dike')).toBe('verified');
    expect(stateOf('the carbon returns to the air', 'return of carbon')).toBe('verified');
    expect(stateOf('cause sediment to settle', 'sediment deposition')).toBe('verified, elsewhere');
  });

  it('may stand right after the sentence that names the concept', () => {
    expect(stateOf('They also slow storm surges', 'tidal marsh')).toBe('verified');
  });

  it('names nothing elsewhere, so one quote cannot name everything', () => {
    const quote = 'Tidal marshes store carbon in their soil.';
    const names = ['tidal marsh', 'carbon', 'storm surge', 'dike', 'sediment'];
    expect(names.map((name) => stateOf(quote, name))).toEqual([
      'verified',
      'verified',
      'verified, elsewhere',
      'verified, elsewhere',
      'verified, elsewhere',
    ]);
  });

  it('names nothing with more than two sentences', () => {
    expect(stateOf(TEXT.slice(0, 99), 'carbon')).toBe('verified');
    expect(stateOf(TEXT, 'carbon')).toBe('verified, too long');
  });

  it('leaves quotes alone that do not stand in the text', () => {
    expect(stateOf('Tidal marshes eat carbon', 'carbon')).toBe('not in the text');
  });
});
