/** Outputs in shapes of others, and mappings, that somebody made to take a reader down. */
import { expect, it } from 'vitest';
import { AssayError } from '../../../errors.ts';
import { parseMap } from './output-map.ts';
import { readForeign } from './read-foreign.ts';

const DEEP = 20_000;
const HOSTILE: Readonly<Record<string, string>> = {
  'lists in lists': `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  'objects in objects': `${'{"name":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  prototypes: '{"__proto__":{"owned":1},"constructor":{"prototype":{"owned":1}}}',
  'ten million values': `[${'0,'.repeat(10_000_000)}0]`,
  'many objects': `[${'{"name":"x"},'.repeat(200_000)}{}]`,
  'a text without end': JSON.stringify('\u001b[2J\u202e'.repeat(300_000)),
  'a number without end': '1e999',
};

const PLACES = [
  '@',
  '{"entities":@}',
  '{"entities":[@]}',
  '{"entities":[{"name":@}]}',
  '{"nodes":@,"edges":@}',
  '{"triples":@}',
];
const MAPS = ['concepts=entities[].name', 'relationships=triples[].0/2/1', 'concepts=entities[][].name', ''];

it.each(Object.keys(HOSTILE))('are read, or an error says what is wrong with them: %s', (what) => {
  for (const place of PLACES) {
    const value: unknown = JSON.parse(place.replaceAll('@', () => HOSTILE[what] ?? ''));
    for (const map of MAPS) {
      try {
        const { output } = readForeign(value, map === '' ? {} : parseMap(map), 'out.json');
        expect(output.concepts.length, `${place} ${map}`).toBeLessThanOrEqual(100_000);
      } catch (error) {
        expect(error, `${place} ${map}: ${String(error).slice(0, 200)}`).toBeInstanceOf(AssayError);
        expect((error as AssayError).message.length).toBeLessThan(5000);
      }
    }
  }
  expect(({} as { owned?: unknown }).owned).toBeUndefined();
});

it.each([
  `concepts=${'a.'.repeat(100_000)}b[]`,
  `concepts=${'[]'.repeat(50_000)}`,
  'concepts=__proto__[].constructor',
  `${'concepts=a[],'.repeat(20_000)}x`,
  'concepts=a[b[]]',
])('a mapping is read, or refused in a few words: %.40s', (map) => {
  try {
    readForeign({ a: [] }, parseMap(map), 'out.json');
  } catch (error) {
    expect(error).toBeInstanceOf(AssayError);
  }
  expect(({} as { owned?: unknown }).owned).toBeUndefined();
});
