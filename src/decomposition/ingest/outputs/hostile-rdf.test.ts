/** RDF that somebody else wrote: nothing is fetched, and little text does not become much. */
import { afterEach, expect, it, vi } from 'vitest';
import { readRdf } from './rdf.ts';

afterEach(() => vi.unstubAllGlobals());

const refused = (text: string) =>
  expect(readRdf(text, 'x.ttl')).rejects.toMatchObject({ code: 'INPUT_INVALID' });

it.each([
  ['a prefix', `@prefix p: <http://x/${'y'.repeat(1_000_000)}>.\n`, 'p:a p:b p:c.\n'],
  ['a base', `@base <http://x/${'y/'.repeat(500_000)}>.\n`, '<a> <b> <c>.\n'],
  [
    'a base that grows',
    `@base <http://x/${'y/'.repeat(400)}>.\n${`@base <${'z/'.repeat(400)}>.\n`.repeat(500)}`,
    '<a> <b> <c>.\n',
  ],
])('does not spell out %s of megabytes for every statement', async (_, start, statement) => {
  const replace = vi.spyOn(String.prototype, 'replace');
  try {
    await refused(start + statement.repeat(20_000));
    const passed = replace.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
    expect(passed).toBeLessThan(20_000_000);
  } finally {
    replace.mockRestore();
  }
});

it('refuses an address of slashes', async () => {
  await refused(`<http://x/${'/'.repeat(500_000)}a> <http://x/p> <http://x/b>.\n`);
});

it('fetches nothing that it names', async () => {
  const fetched = vi.fn();
  vi.stubGlobal('fetch', fetched);
  const { relationships } = await readRdf(
    '@prefix owl: <http://www.w3.org/2002/07/owl#>.\n<http://127.0.0.1:9/a> owl:imports <http://127.0.0.1:9/b>, <file:///etc/passwd>.\n',
    'x.ttl',
  );
  expect(relationships.map(({ target }) => target)).toEqual(['b', 'passwd']);
  expect(fetched).not.toHaveBeenCalled();
});

it.each([
  ['lists', `<http://x/a> <http://x/p> ${'('.repeat(50_000)}${')'.repeat(50_000)}.`],
  [
    'nodes without a name',
    `<http://x/a> <http://x/p> ${'[<http://x/q> '.repeat(50_000)}1${']'.repeat(50_000)}.`,
  ],
])('withstands %s in each other', async (_, text) => {
  const graph = await readRdf(text, 'x.ttl').catch((error: unknown) => error);
  expect(graph).not.toBeInstanceOf(RangeError);
});

it('refuses more statements than any text gives', async () => {
  await refused('<a:a> <a:b> <a:c>.\n'.repeat(100_001));
});
