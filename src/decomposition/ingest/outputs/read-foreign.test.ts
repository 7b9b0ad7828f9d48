import { describe, expect, it } from 'vitest';
import type { OutputMap } from './output-map.ts';
import { parseMap } from './output-map.ts';
import { readForeign } from './read-foreign.ts';

const read = (value: unknown, map: OutputMap = {}) => {
  const { output, shape } = readForeign(value, map, 'out.json');
  return {
    shape,
    concepts: output.concepts.map(({ label, sourceQuote }) =>
      sourceQuote === undefined ? label : `${label} "${sourceQuote}"`,
    ),
    edges: output.relationships.map(({ source, predicate, target }) => `${source} ${predicate} ${target}`),
    withoutQuotes: output.withoutQuotes ?? false,
  };
};

describe('a mapping', () => {
  it('says where concepts, their quotes and relationships are in any JSON', () => {
    const value = {
      entities: [{ name: 'rain', where: 'it rains' }, { name: 7 }],
      relations: [{ head: { id: 'rain' }, tail: { id: 7 }, type: 'leads to' }],
    };
    const map = parseMap(
      'concepts=entities[].name,quote=where,relationships=relations[].head.id/tail.id/type',
    );
    expect(read(value, map)).toEqual({
      shape: 'the mapping says',
      concepts: ['rain "it rains"', '7'],
      edges: ['rain leads to 7'],
      withoutQuotes: false,
    });
  });

  it('takes the ends of relationships for concepts where it names none', () => {
    const map = parseMap('relationships=triples[].0/2/1');
    expect(read({ triples: [['a', 'CAUSES', 'b']] }, map)).toMatchObject({
      concepts: ['a', 'b'],
      edges: ['a CAUSES b'],
      withoutQuotes: true,
    });
  });

  it('finds the output inside what a model answered, fenced or not', () => {
    const answer = { choices: [{ text: '```json\n{"topics":["a","b"]}\n```' }] };
    expect(read(answer, parseMap('output=choices.0.text,concepts=topics[]')).concepts).toEqual(['a', 'b']);
  });

  it('keeps what is no name as a wrong concept, as everywhere', () => {
    const { output } = readForeign({ entities: [{ name: null }, {}] }, { concepts: 'entities[].name' }, 'x');
    expect(output.concepts.map(({ flaw }) => flaw !== undefined)).toEqual([true, true]);
  });

  it('is refused where it is misspelt, and where it leads nowhere', () => {
    expect(() => parseMap('concept=entities[]')).toThrow('"concept=entities[]" is not understood');
    expect(() => read({}, { concepts: 'entities' })).toThrow('names no list');
    expect(() => read({}, { concepts: 'entities[].name' })).toThrow('there is nothing at entities[].name');
    expect(() => read({ r: [] }, { relationships: 'r[].a/b' })).toThrow('source, target and predicate');
    expect(read({ entities: [] }, { concepts: 'entities[].name' }).concepts).toEqual([]);
  });

  it('looks at own fields only', () => {
    expect(() => read({}, { concepts: '__proto__.x[]' })).toThrow('there is nothing');
    expect(() => read({}, { concepts: 'constructor.prototype[]' })).toThrow('there is nothing');
  });
});

describe('a known shape', () => {
  const node = (id: string) => ({ id, type: 'Thing', properties: {} });
  const graph = {
    nodes: [node('rain'), node('flood')],
    relationships: [{ source: node('rain'), target: node('flood'), type: 'CAUSES', properties: {} }],
    source: { page_content: 'x', metadata: {} },
  };
  const lc = (name: string, kwargs: object) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain', name],
    kwargs,
  });

  it('is a LangChain graph document, plain, serialised, or one for each part of a text', () => {
    const expected = { concepts: ['rain', 'flood'], edges: ['rain CAUSES flood'], withoutQuotes: true };
    expect(read(graph)).toMatchObject(expected);
    const [edge] = graph.relationships;
    const serialised = lc('GraphDocument', {
      nodes: graph.nodes.map((one) => lc('Node', one)),
      relationships: [
        lc('Relationship', { ...edge, source: lc('Node', node('rain')), target: lc('Node', node('flood')) }),
      ],
    });
    expect(read(serialised)).toMatchObject(expected);
    expect(read([graph, graph]).concepts).toEqual(['rain', 'flood']);
  });

  it('is a list of bare names, alone or beside relationships between them', () => {
    const edge = { source: 'a', predicate: 'CAUSES', target: 'b' };
    expect(read({ concepts: ['a', 'b'], relationships: [edge] })).toEqual({
      shape: 'concepts by name',
      concepts: ['a', 'b'],
      edges: ['a CAUSES b'],
      withoutQuotes: true,
    });
    expect(read('["a", "b"]')).toMatchObject({ shape: 'concepts by name', concepts: ['a', 'b'], edges: [] });
    expect(() => read({ foo: 1, bar: [] })).toThrow('has no concepts, but foo, bar');
  });

  it('is a graph of kg-gen, or triples', () => {
    expect(
      read({ entities: ['a', 'b'], edges: ['causes'], relations: [['a', 'causes', 'b']] }),
    ).toMatchObject({ shape: 'a graph of kg-gen', edges: ['a CAUSES b'] });
    expect(read([{ subject: 'a', predicate: 'is-a', object: 'b' }])).toMatchObject({ edges: ['a IS_A b'] });
  });

  it('is our own form, whatever else is in it', () => {
    expect(read({ concepts: [{ label: 'a' }], entities: ['b'] })).toMatchObject({
      shape: undefined,
      concepts: ['a'],
      withoutQuotes: false,
    });
  });

  it('is never guessed: another one is refused with a mapping to look at', () => {
    const value = { nodes: [{ name: 'a' }], edges: [{ from: 'a', to: 'b', label: 'CAUSES' }] };
    expect(() => read(value)).toThrow('has an unknown shape');
    try {
      read(value);
    } catch (error) {
      expect(error).toMatchObject({
        ways: [{ options: { map: 'concepts=nodes[].name,relationships=edges[].from/to/label' } }],
      });
    }
  });

  it('does not fall over lists in lists', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown;
    expect(() => read(deep)).toThrow();
  });
});
