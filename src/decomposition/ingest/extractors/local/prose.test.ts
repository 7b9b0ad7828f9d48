import fc from 'fast-check';
import { expect, it, test as property } from 'vitest';
import { proseOf } from './analyse.ts';

/** The blocks as a reader sees them. */
function blocks(text: string): string[] {
  const { readable, blocks: places } = proseOf(text);
  return places
    .map(({ from, to }) => readable.slice(from, to).replaceAll(/\s+/g, ' ').trim())
    .filter((block) => block !== '');
}

it.each([
  ['headings', '# Rain\nRain falls.\n\n## Ice\nIce melts.', ['Rain', 'Rain falls.', 'Ice', 'Ice melts.']],
  ['underlined headings', 'Rain\n====\nRain falls.', ['Rain', 'Rain falls.']],
  ['lists', 'Kinds:\n- rain that\n  falls\n- [x] ice\n1. snow', ['Kinds:', 'rain that falls', 'ice', 'snow']],
  ['quotations', '> Rain falls\n> on ice.', ['Rain falls on ice.']],
  ['tables', '| rain | ice |\n|---|:-:|\n| wet | cold |', ['rain', 'ice', 'wet', 'cold']],
  ['emphasis', '**Rain** and *ice* and `snow` and __hail__.', ['Rain and ice and snow and hail .']],
  ['links', 'See [the rain](https://rain.example/a_b) and https://ice.example.', ['See the rain and']],
  ['code', 'Rain falls.\n```js\nconst ice = 1;\n```\nIce melts.', ['Rain falls.', 'Ice melts.']],
  ['tags', 'Rain<br/> falls <!-- on ice --> here.', ['Rain falls here.']],
])('reads %s as text', (_, text, expected) => {
  expect(blocks(text)).toEqual(expected);
});

it.each([
  ['a paragraph over lines', 'Rain falls\non ice.', ['Rain falls on ice.']],
  ['a fence that nothing closes', '```Rain on ice\n\nRain falls.', ['Rain on ice', 'Rain falls.']],
  ['signs between words', 'The cost of 3 * 4 - 2 or snake_case.', ['The cost of 3 * 4 - 2 or snake_case.']],
])('leaves alone %s', (_, text, expected) => {
  expect(blocks(text)).toEqual(expected);
});

property('every place of what is left holds in the text as given', () => {
  const piece = fc.constantFrom(
    '# ',
    '- ',
    '**',
    '`',
    '```\n',
    '|',
    '\n',
    '\n\n',
    '> ',
    '[a](b)',
    'rain ',
    '_',
    '\u0007',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 5 }))), (pieces) => {
      const text = pieces.join('');
      const { readable, blocks: places } = proseOf(text);
      expect(readable).toHaveLength(text.length);
      for (let at = 0; at < text.length; at++) expect([' ', text[at]]).toContain(readable[at]);
      expect(places.map(({ from }) => from)).toEqual(places.map(({ from }) => from).sort((a, b) => a - b));
      expect(places.at(-1)?.to).toBe(text.length);
    }),
  );
});
