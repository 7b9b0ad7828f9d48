/** Turtle and N-Triples: resources are concepts, statements between them relationships. */
import { AssayError } from '../../../errors.ts';
import type { ForeignGraph } from './read-foreign.ts';

const LABELS = [
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://schema.org/name',
  'https://schema.org/name',
  'http://xmlns.com/foaf/0.1/name',
];
const KIND_OF = [
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
  'http://www.w3.org/2000/01/rdf-schema#subClassOf',
  'http://www.w3.org/2004/02/skos/core#broader',
];

/** More statements than any text of a few pages gives. */
const MOST_STATEMENTS = 100_000;

/** Longer than any address that a browser takes. */
const MOST_IRI = 2_000;

const BLANK = /"?_:(?:n3-\d+|b\d+_\w*)"?/g;

export async function readRdf(text: string, where: string): Promise<ForeignGraph> {
  const { Parser } = await import('n3');
  let quads: readonly Quad[];
  try {
    quads = withOwnBlanks(new Parser().parse(text));
  } catch (cause) {
    // The parser counts nodes without a name on and on, in its messages too.
    const why = (cause instanceof Error ? cause.message : String(cause)).replaceAll(
      BLANK,
      'a node without a name',
    );
    throw new AssayError('INPUT_INVALID', `${where} is not RDF: ${why}`, { cause });
  }
  if (quads.length > MOST_STATEMENTS)
    throw new AssayError('INPUT_INVALID', `${where} has more than ${MOST_STATEMENTS} statements`);
  // Asked of every term before any is looked at: short statements may share one prefix of megabytes.
  if (quads.some(({ subject, predicate, object }) => [subject, predicate, object].some(isTooLong)))
    throw new AssayError('INPUT_INVALID', `${where} names something with more than ${MOST_IRI} characters`);
  const labels = new Map<string, string>();
  for (const { subject, predicate, object } of quads) {
    if (LABELS.includes(predicate.value) && object.termType === 'Literal' && !labels.has(subject.value))
      labels.set(subject.value, object.value);
  }
  const nameOf = ({ value }: Term) => labels.get(value) ?? localName(value);
  const edges = quads.filter(
    ({ predicate, object }) => object.termType !== 'Literal' && !LABELS.includes(predicate.value),
  );
  const resources = new Map(
    [...labels.keys(), ...edges.flatMap(({ subject, object }) => [subject.value, object.value])].map(
      (value) => [value, nameOf({ value, termType: 'NamedNode' })],
    ),
  );
  return {
    concepts: [...new Set(resources.values())].map((label) => ({ label })),
    relationships: edges.map(({ subject, predicate, object }) => ({
      source: nameOf(subject),
      target: nameOf(object),
      predicate: KIND_OF.includes(predicate.value) ? 'IS_A' : localName(predicate.value, false),
    })),
    quotes: false,
  };
}

/** The same file gives the same names, whatever was read before it. */
function withOwnBlanks(quads: readonly Quad[]): readonly Quad[] {
  const names = new Map<string, string>();
  const named = (term: Term): Term => {
    if (term.termType !== 'BlankNode') return term;
    const value = names.get(term.value) ?? `unnamed ${names.size + 1}`;
    names.set(term.value, value);
    return { value, termType: term.termType };
  };
  return quads.map(({ subject, predicate, object }) => ({
    subject: named(subject),
    predicate,
    object: named(object),
  }));
}

function isTooLong({ value, termType }: Term): boolean {
  return termType !== 'Literal' && value.length > MOST_IRI;
}

type Term = { readonly value: string; readonly termType: string };
type Quad = { readonly subject: Term; readonly predicate: Term; readonly object: Term };

/** `https://example.org/id/SoilErosion` → `Soil Erosion`. */
function localName(iri: string, spaced = true): string {
  const last =
    iri
      .replace(/(?<![#/])[#/]+$/, '')
      .split(/[#/]/)
      .at(-1) ?? iri;
  const decoded = decode(last);
  if (!spaced) return decoded;
  return decoded.replace(/[_+]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
