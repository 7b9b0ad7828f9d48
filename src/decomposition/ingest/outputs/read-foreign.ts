import { AssayError } from '../../../errors.ts';
import { type ExtractionOutput, parseOutput } from '../output.ts';
import { isEdgeList, readEdgeList } from './edge-list.ts';
import { type ForeignGraph, isRecord, listIn } from './foreign-graph.ts';
import { KNOWN_SHAPES, proposeMap } from './known-shapes.ts';
import { mapGraph, type OutputMap } from './output-map.ts';
import { parsePath, valueAt } from './value-path.ts';

/** What was read, and as what, where it is not our own form. */
export type ReadForeign = { readonly output: ExtractionOutput; readonly shape?: string };

/** An output in our own form, in one that is known, or in one that the mapping describes. */
export function readForeign(value: unknown, map: OutputMap, where: string): ReadForeign {
  const inner = map.output === undefined ? value : valueAt(value, parsePath(map.output, 'output'));
  if (map.output !== undefined && inner === undefined)
    throw new AssayError('INPUT_INVALID', `${where}: there is nothing at ${map.output}`);
  const given = typeof inner === 'string' ? parseAnswer(withoutFence(inner), where) : inner;
  if (given instanceof EdgeList) return asOutput(readEdgeList(given.text), where, 'an edge list');
  const mapped = mapGraph(given, map, where);
  if (mapped !== undefined) return asOutput(mapped, where, 'the mapping says');
  if (isOurs(given)) return { output: parseOutput(given, where) };
  const shape = KNOWN_SHAPES.find(({ recognises }) => recognises(given));
  if (shape !== undefined) return asOutput(shape.read(given), where, shape.name);
  const proposal = proposeMap(given);
  if (proposal === undefined && isRecord(given) && !('concepts' in given)) throw unknownShape(given, where);
  if (proposal === undefined) return { output: parseOutput(given, where) };
  throw new AssayError(
    'INPUT_INVALID',
    `${where}: is in a shape of its own, and no mapping says how to read it`,
    {
      remedy: [{ say: 'Look whether this one fits', options: { map: proposal } }],
    },
  );
}

/** Nothing in it looks like a list of concepts: only its owner knows where they are. */
function unknownShape(given: object, where: string): AssayError {
  const keys = Object.keys(given).slice(0, 5).join(', ');
  return new AssayError(
    'INPUT_INVALID',
    `${where}: has no concepts${keys === '' ? '' : `, but ${keys.length > 200 ? `${keys.slice(0, 200)}…` : keys}`}`,
    {
      remedy: [
        {
          say: 'Say where they are',
          options: { map: 'concepts=entities[].name,relationships=relations[].head/tail/type' },
        },
      ],
    },
  );
}

/** Our own form names its concepts by `label`; a list of bare names, or of names under another word, is another form. */
function isOurs(value: unknown): boolean {
  const [first, ...more] = listIn(value, 'concepts') ?? [];
  if (first === undefined) return listIn(value, 'concepts') !== undefined;
  const isOther = typeof first === 'string' || (isRecord(first) && 'name' in first && !('label' in first));
  return !isOther || more.some((one) => isRecord(one) && 'label' in one);
}

/** Models like to put what they answer between marks. */
function withoutFence(text: string): string {
  return /```(?:json|cypher)?[^\S\n]*\n([\s\S]*?)```/.exec(text)?.[1] ?? text;
}

class EdgeList {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function parseAnswer(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (isEdgeList(text)) return new EdgeList(text);
    throw new AssayError('INPUT_INVALID', `${where}: what was answered is neither JSON nor a list of edges`, {
      cause,
    });
  }
}

export function asOutput(graph: ForeignGraph, where: string, shape: string): ReadForeign {
  const { relationships, quotes } = graph;
  const concepts: NonNullable<ForeignGraph['concepts']> = graph.concepts ?? endsOf(relationships);
  const output = parseOutput(
    {
      concepts: concepts.map(({ label, quote }) => ({ label, sourceQuote: quote })),
      relationships: relationships.map(({ source, target, predicate, quote }) => ({
        source,
        target,
        predicate,
        sourceQuote: quote,
      })),
    },
    where,
  );
  return { output: quotes ? output : { ...output, withoutQuotes: true }, shape };
}

function endsOf(relationships: ForeignGraph['relationships']): { label: unknown }[] {
  const ends = new Set(relationships.flatMap(({ source, target }) => [source, target]));
  return [...ends].map((label) => ({ label }));
}
