/** Well-known shapes of outputs. Each is recognised by unique properties, never by a guess. */
import { type ForeignGraph, isRecord, listIn, plainText } from './read-foreign.ts';

export type KnownShape = {
  readonly name: string;
  readonly recognises: (value: unknown) => boolean;
  readonly read: (value: unknown) => ForeignGraph;
};

/**
 * Nodes with an `id`, and relationships between nodes with a `type`; also as LangChain serialises objects (`lc`,
 * `kwargs`).
 */
const langchain: KnownShape = {
  name: 'a LangChain graph document',
  recognises: (value) => {
    if (Array.isArray(value))
      return value.length > 0 && value.every((one) => !Array.isArray(one) && langchain.recognises(one));
    const graph = unwrap(value);
    const nodes = listIn(graph, 'nodes');
    const edges = listIn(graph, 'relationships');
    const first = unwrap(edges?.[0]);
    return (
      nodes !== undefined &&
      edges !== undefined &&
      nodes.every((node) => idOf(node) !== undefined) &&
      (first === undefined || (isRecord(first) && idOf(first.source) !== undefined && 'type' in first))
    );
  },
  read: (value) => {
    if (Array.isArray(value)) return joined(value.map((one) => langchain.read(one)));
    const graph = unwrap(value);
    return {
      concepts: (listIn(graph, 'nodes') ?? []).map((node) => ({ label: plainText(idOf(node)) })),
      relationships: (listIn(graph, 'relationships') ?? []).map((edge) => {
        const { source, target, type } = (unwrap(edge) ?? {}) as Record<string, unknown>;
        return { source: plainText(idOf(source)), target: plainText(idOf(target)), predicate: type };
      }),
      quotes: false,
    };
  },
};

function joined(graphs: readonly ForeignGraph[]): ForeignGraph {
  const labels = new Set(graphs.flatMap(({ concepts = [] }) => concepts.map(({ label }) => label)));
  return {
    concepts: [...labels].map((label) => ({ label })),
    relationships: graphs.flatMap(({ relationships }) => relationships),
    quotes: false,
  };
}

/** A serialised LangChain object stores its fields in `kwargs`. */
export function unwrap(value: unknown): unknown {
  return isRecord(value) && value.lc === 1 && isRecord(value.kwargs) ? value.kwargs : value;
}

function idOf(node: unknown): unknown {
  const inner = unwrap(node);
  const id = isRecord(inner) ? inner.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Entities and edges as texts, relations as (subject, predicate, object). */
const kgGen: KnownShape = {
  name: 'a graph of kg-gen',
  recognises: (value) => {
    const [entities, relations] = [listIn(value, 'entities'), listIn(value, 'relations')];
    return (
      entities !== undefined &&
      relations !== undefined &&
      entities.every((one) => typeof one === 'string') &&
      relations.every(isTriple)
    );
  },
  read: (value) => ({
    concepts: (listIn(value, 'entities') ?? []).map((label) => ({ label })),
    relationships: (listIn(value, 'relations') ?? []).map(edgeOfTriple),
    quotes: false,
  }),
};

/** Concepts as bare names, with or without relationships between such names. */
const names: KnownShape = {
  name: 'concepts by name',
  recognises: (value) => {
    const list = namesIn(value);
    const edges = Array.isArray(value) ? [] : relationshipsIn(value);
    return (
      list !== undefined &&
      list.length > 0 &&
      list.every((one) => typeof one === 'string') &&
      edges.every((one) => isTriple(one) || isNamedTriple(one) || isEdge(one))
    );
  },
  read: (value) => ({
    concepts: (namesIn(value) ?? []).map((label) => ({ label })),
    relationships: (Array.isArray(value) ? [] : relationshipsIn(value)).map((one) => {
      if (!isRecord(one)) return edgeOfTriple(one);
      return isNamedTriple(one)
        ? { source: one.subject, predicate: one.predicate, target: one.object }
        : { source: one.source, predicate: one.predicate, target: one.target };
    }),
    quotes: false,
  }),
};

function namesIn(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : listIn(value, 'concepts');
}

function relationshipsIn(value: unknown): readonly unknown[] {
  return listIn(value, 'relationships') ?? [];
}

function isEdge(one: unknown): boolean {
  return isRecord(one) && ['source', 'target', 'predicate'].every((key) => typeof one[key] === 'string');
}

/** A list of subject, predicate and object, alone or as `triples`. */
const triples: KnownShape = {
  name: 'subject–predicate–object triples',
  recognises: (value) => {
    const list = triplesIn(value);
    return list !== undefined && list.length > 0 && list.every((one) => isTriple(one) || isNamedTriple(one));
  },
  read: (value) => ({
    relationships: (triplesIn(value) ?? []).map((one) => {
      if (!isRecord(one)) return edgeOfTriple(one);
      return { source: one.subject, predicate: one.predicate, target: one.object };
    }),
    quotes: false,
  }),
};

function triplesIn(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : listIn(value, 'triples');
}

function isTriple(one: unknown): boolean {
  return Array.isArray(one) && one.length === 3 && one.every((part) => typeof part === 'string');
}

function isNamedTriple(one: unknown): boolean {
  return isRecord(one) && ['subject', 'predicate', 'object'].every((key) => typeof one[key] === 'string');
}

function edgeOfTriple(one: unknown): ForeignGraph['relationships'][number] {
  const [source, predicate, target] = Array.isArray(one) ? one : [];
  return { source, target, predicate };
}

export const KNOWN_SHAPES: readonly KnownShape[] = [langchain, kgGen, triples, names];

const NODE_LISTS = ['concepts', 'entities', 'nodes', 'topics', 'terms'];
const NODE_NAMES = ['name', 'label', 'id', 'title', 'text', 'entity'];
const EDGE_LISTS = ['relationships', 'relations', 'edges', 'links', 'triples'];
const EDGE_ENDS = [
  ['source', 'target'],
  ['head', 'tail'],
  ['subject', 'object'],
  ['from', 'to'],
] as const;
const EDGE_NAMES = ['predicate', 'type', 'relation', 'relationship', 'label', 'name'];

/** Suggests a mapping for the user to check: guesses are never applied. */
export function proposeMap(value: unknown): string | undefined {
  const nodes = NODE_LISTS.find((key) => listIn(value, key) !== undefined);
  if (nodes === undefined) return undefined;
  const [node] = listIn(value, nodes) ?? [];
  const name = isRecord(node) ? NODE_NAMES.find((key) => typeof node[key] === 'string') : undefined;
  const concepts = `concepts=${nodes}[]${name === undefined ? '' : `.${name}`}`;
  const edges = EDGE_LISTS.find((key) => listIn(value, key) !== undefined);
  const [edge] = edges === undefined ? [] : (listIn(value, edges) ?? []);
  const ends = isRecord(edge) ? EDGE_ENDS.find(([from, to]) => from in edge && to in edge) : undefined;
  const predicate = isRecord(edge) ? EDGE_NAMES.find((key) => typeof edge[key] === 'string') : undefined;
  if (ends === undefined || predicate === undefined) return concepts;
  return `${concepts},relationships=${edges}[].${ends[0]}/${ends[1]}/${predicate}`;
}
