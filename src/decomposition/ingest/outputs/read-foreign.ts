import { AssayError } from '../../../errors.ts';
import { type ExtractionOutput, parseOutput } from '../output.ts';
import { KNOWN_SHAPES, proposeMap } from './known-shapes.ts';
import { mapGraph, type OutputMap, parsePath, valueAt } from './output-map.ts';

export type ReadForeign = { readonly output: ExtractionOutput; readonly shape?: string };

export function readForeign(value: unknown, map: OutputMap, where: string): ReadForeign {
  const inner = map.output === undefined ? value : valueAt(value, parsePath(map.output, 'output'));
  if (map.output !== undefined && inner === undefined)
    throw new AssayError('INPUT_INVALID', `${where}: there is nothing at ${map.output}`);
  const given = typeof inner === 'string' ? parseAnswer(withoutFence(inner), where) : inner;
  const mapped = mapGraph(given, map, where);
  if (mapped !== undefined) return asOutput(mapped, where, 'the mapping says');
  if (isOurs(given)) return { output: parseOutput(given, where) };
  const shape = KNOWN_SHAPES.find(({ recognises }) => recognises(given));
  if (shape !== undefined) return asOutput(shape.read(given), where, shape.name);
  const proposal = proposeMap(given);
  if (proposal === undefined && isRecord(given) && !('concepts' in given || 'fields' in given))
    throw unknownShape(given, where);
  if (proposal === undefined) return { output: parseOutput(given, where) };
  throw new AssayError('INPUT_INVALID', `${where}: has an unknown shape and needs a mapping`, {
    remedy: [{ say: 'Look whether this one fits', options: { map: proposal } }],
  });
}

/** Reads a production output; an unreadable one is returned as an error, not thrown. */
export function tryReadOutput(value: unknown, map: OutputMap): ExtractionOutput | AssayError {
  try {
    return readForeign(value, map, 'the output').output;
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
}

/** No list of concepts can be recognised, so the user must name the paths. */
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

/** Assay's format names concepts by `label`; a list of bare names, or other keys, is another format. */
function isOurs(value: unknown): boolean {
  const [first, ...more] = listIn(value, 'concepts') ?? [];
  if (first === undefined) return listIn(value, 'concepts') !== undefined;
  const isOther = typeof first === 'string' || (isRecord(first) && 'name' in first && !('label' in first));
  return !isOther || more.some((one) => isRecord(one) && 'label' in one);
}

/** Models often wrap answers in a code fence. */
function withoutFence(text: string): string {
  return /```(?:json)?[^\S\n]*\n([\s\S]*?)```/.exec(text)?.[1] ?? text;
}

function parseAnswer(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AssayError('INPUT_INVALID', `${where}: the answer is not JSON`, { cause });
  }
}

function asOutput(graph: ForeignGraph, where: string, shape: string): ReadForeign {
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

export type ForeignGraph = {
  /** Absent: the ends of the relationships are the concepts. */
  readonly concepts?: readonly { readonly label: unknown; readonly quote?: unknown }[];
  readonly relationships: readonly {
    readonly source: unknown;
    readonly target: unknown;
    readonly predicate: unknown;
    readonly quote?: unknown;
  }[];
  readonly quotes: boolean;
};

export function plainText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listIn(value: unknown, key: string): readonly unknown[] | undefined {
  const list = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return Array.isArray(list) ? list : undefined;
}

const MOST_TEXTS = 50;

export function textsWithin(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  if (Array.isArray(input)) return input.slice(0, MOST_TEXTS).flatMap((one) => contentOf(one));
  if (!isRecord(input)) return [];
  if (Array.isArray(input.messages)) return textsWithin(input.messages);
  return Object.values(input)
    .slice(0, MOST_TEXTS)
    .filter((one) => typeof one === 'string');
}

function contentOf(message: unknown): string[] {
  if (typeof message === 'string') return [message];
  if (!isRecord(message)) return [];
  const { content } = message;
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : []));
}

export function answerText(output: unknown): unknown {
  if (!isRecord(output)) return output;
  if (typeof output.completion === 'string') return output.completion;
  if (Array.isArray(output.choices) && output.choices.length === 0) return undefined;
  const choice = Array.isArray(output.choices) ? output.choices[0] : undefined;
  const message = isRecord(choice) ? choice.message : 'role' in output ? output : undefined;
  if (message === undefined) return output;
  const texts = contentOf(message);
  return texts.length === 0 ? undefined : texts.join('\n');
}
