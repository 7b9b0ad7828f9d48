import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuoteCheck } from '../evidence.ts';
import { placed, searchable, verifyQuote } from './verify-quote.ts';

const TEXT =
  'A tidal marsh\n  floods twice a day.\u00a0It stores \u201cblue carbon\u201d in the so\ufb01t soil of caf\u0065\u0301s.';
const check = (quote: string | undefined, label?: string) => verifyQuote(quote, searchable(TEXT), label);
const passage = (quote: string) => {
  const found = check(quote);
  return found.state === 'verified' ? TEXT.slice(...found.at) : found.state;
};

describe('a quote', () => {
  it('is verified where it stands, with the offsets of the original text', () => {
    expect(passage('marsh floods twice')).toBe('marsh\n  floods twice');
    expect(passage('a day. It stores')).toBe('a day.\u00a0It stores');
    expect(passage('the sofit soil')).toBe('the so\ufb01t soil');
    expect(passage('carbon\u201d in the sof')).toBe('carbon\u201d in the so\ufb01');
    expect(passage('soil of caf\u00e9s')).toBe('soil of caf\u0065\u0301s');
    expect(passage('  \t A tidal\u2003marsh ')).toBe('A tidal marsh');
  });

  it('is not fuzzy: other words and other case are other text', () => {
    expect(passage('marsh floods once a day')).toBe('not in the text');
    expect(passage('A Tidal Marsh floods')).toBe('not in the text');
    expect(passage('marshes flood twice')).toBe('not in the text');
  });

  it('is the same whatever marks it is set with', () => {
    expect(passage('stores "blue carbon"')).toBe('stores \u201cblue carbon\u201d');
    expect(passage('\u201cfloods twice a day\u201d')).toBe('floods twice a day');
  });

  it('under 12 characters verifies nothing unless it is the whole label', () => {
    expect(check('blue carbon')).toEqual({ state: 'too short' });
    expect(check('blue carbon', 'carbon')).toEqual({ state: 'too short' });
    expect(check('blue carbon', 'Blue Carbon')).toMatchObject({ state: 'verified' });
    expect(check('red carbon', 'red carbon')).toEqual({ state: 'not in the text' });
    expect(check('tidal marsh\n')).toEqual({ state: 'too short' });
    expect(check('A tidal marsh', 'marsh')).toMatchObject({ state: 'verified', at: [0, 13] });
  });

  it('that is empty is none', () => {
    for (const quote of [undefined, '', ' \n ']) expect(check(quote)).toEqual({ state: 'none' });
  });

  it('has the same offsets however its text has to be taken apart', () => {
    const word = fc.stringMatching(/^[a-z.,]{1,6}$/);
    const space = fc.constantFrom(' ', ' ', '\n', '\n\n', ' \t ', '\u00a0');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, space), { minLength: 12 }), fc.nat(), (parts, from) => {
        const text = parts.flat().join('');
        const [start, end] = [from % parts.length, (from % parts.length) + 8];
        const quote = parts.slice(start, end).flat().join(' ').trim();
        // The marks of the last word keep the whole text from being taken as it is.
        const [whole, inPieces] = [text, `${text}q\u0303`].map((one) => verifyQuote(quote, searchable(one)));
        expect(whole).toEqual(inPieces);
      }),
    );
  });

  it('is found wherever it was taken from, and what it names spells the same', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 30 }),
        fc.nat(),
        fc.nat(),
        (text, from, length) => {
          const graphemes = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
          const start = from % graphemes.length;
          const quote = graphemes.slice(start, start + 15 + (length % 10)).join('');
          const found = verifyQuote(quote, searchable(text));
          if (found.state === 'none' || found.state === 'too short') return;
          expect(found.state).toBe('verified');
          if (found.state === 'verified') {
            expect(searchable(text.slice(...found.at)).text.trim()).toContain(searchable(quote).text.trim());
          }
        },
      ),
    );
  });
});

const MARSH =
  'Tidal marshes store carbon in their soil. They also slow storm surges and cause sediment to settle. ' +
  'Dikes cut marshes off from the tide. Without new sediment the soil oxidises, and the carbon returns to the air.';

const stateOf = (quote: string, ...names: string[]) =>
  say(placed(verifyQuote(quote, searchable(MARSH), names[0]), MARSH, names));
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
    expect(stateOf(MARSH.slice(0, 99), 'carbon')).toBe('verified');
    expect(stateOf(MARSH, 'carbon')).toBe('verified, too long');
  });

  it('leaves quotes alone that do not stand in the text', () => {
    expect(stateOf('Tidal marshes eat carbon', 'carbon')).toBe('not in the text');
  });
});
