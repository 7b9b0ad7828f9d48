/** Maps outputs in a custom shape to concepts and relationships, by named paths. */
import { AssayError } from '../../../errors.ts';
import { type ForeignGraph, plainText } from './read-foreign.ts';

const MAP_KEYS = [
  'id',
  'output',
  'concepts',
  'quote',
  'relationships',
  'relationshipQuote',
  'provider',
  'prompt',
] as const;

type MapKey = (typeof MAP_KEYS)[number];

export type OutputMap = { readonly [K in MapKey]?: string | undefined };

/** `concepts=entities[].name,relationships=relations[].head/tail/type` */
export function parseMap(text: string): OutputMap {
  const entries = text.split(',').map((part) => {
    const [, key = '', path = ''] = /^\s*(\w+)\s*=(.*)$/s.exec(part) ?? [];
    if (!(MAP_KEYS as readonly string[]).includes(key) || path.trim() === '') {
      throw new AssayError('USAGE', `the mapping "${part}" is not understood`, {
        remedy: `It looks like concepts=entities[].name,relationships=relations[].head/tail/type, with ${MAP_KEYS.join(', ')}.`,
      });
    }
    return [key, path.trim()] as const;
  });
  return Object.fromEntries(entries);
}

type Ends = { readonly items: ValuePath; readonly ends: readonly [ValuePath, ValuePath, ValuePath] };

export function mapGraph(value: unknown, map: OutputMap, where: string): ForeignGraph | undefined {
  if (map.concepts === undefined && map.relationships === undefined) return undefined;
  const { items, label } = conceptPath(map.concepts);
  const quote = map.quote === undefined ? undefined : parsePath(map.quote, 'quote');
  const found = items === undefined ? [] : valuesAt(value, items, where);
  if (items !== undefined && found.length === 0 && !leads(value, items)) {
    throw new AssayError('INPUT_INVALID', `${where}: there is nothing at ${map.concepts}`);
  }
  const { relationships, relationshipQuote } = map;
  return {
    ...(items !== undefined && {
      concepts: found.map((item) => ({
        label: plainText(label.length === 0 ? item : valueAt(item, label)),
        ...(quote && { quote: plainText(valueAt(item, quote)) }),
      })),
    }),
    relationships: relationships === undefined ? [] : edgesAt(value, relationships, relationshipQuote, where),
    quotes: quote !== undefined,
  };
}

/** `entities[].name` → every entity, and its name; `entities[]` → every entity is itself a name. */
function conceptPath(text: string | undefined): { items?: ValuePath; label: ValuePath } {
  if (text === undefined) return { label: [] };
  const cut = text.lastIndexOf('[]');
  if (cut === -1)
    throw new AssayError('USAGE', `concepts: "${text}" names no list; one looks like entities[].name`);
  const rest = text.slice(cut + 2).replace(/^\./, '');
  return {
    items: parsePath(text.slice(0, cut + 2), 'concepts'),
    label: rest === '' ? [] : parsePath(rest, 'concepts'),
  };
}

/** An empty list is a valid answer; a missing list means another shape. */
function leads(value: unknown, items: ValuePath): boolean {
  return valuesAt(value, items.slice(0, -1)).some(Array.isArray);
}

function edgesAt(value: unknown, text: string, quoteText: string | undefined, where: string) {
  const { items, ends } = edgePath(text);
  const quote = quoteText === undefined ? undefined : parsePath(quoteText, 'relationshipQuote');
  if (!leads(value, items)) throw new AssayError('INPUT_INVALID', `${where}: there is nothing at ${text}`);
  return valuesAt(value, items, where).map((item) => {
    const [source, target, predicate] = ends.map((end) => plainText(valueAt(item, end)));
    return {
      source,
      target,
      predicate,
      ...(quote && { quote: plainText(valueAt(item, quote)) }),
    };
  });
}

/** `relations[].head/tail/type`: source, target and predicate of every item; of triples `triples[].0/2/1`. */
function edgePath(text: string): Ends {
  const cut = text.lastIndexOf('[]');
  const ends = text
    .slice(cut + 2)
    .replace(/^\./, '')
    .split('/');
  if (cut === -1 || ends.length !== 3 || ends.some((end) => end.trim() === '')) {
    throw new AssayError(
      'USAGE',
      `relationships: "${text}" does not name source, target and predicate; it looks like relations[].head/tail/type`,
    );
  }
  const paths = ends.map((end) => parsePath(end, 'relationships'));
  return {
    items: parsePath(text.slice(0, cut + 2), 'relationships'),
    ends: paths as unknown as Ends['ends'],
  };
}

export type ValuePath = readonly (string | 'every')[];

const MOST_STEPS = 20;
/** Far beyond any list that is read; more indicates a wrong mapping. */
const MOST_VALUES = 100_000;

const EVERY = 'every';

export function parsePath(text: string, where: string): ValuePath {
  const steps = text
    .trim()
    .split('.')
    .flatMap((step) => {
      const name = step.replace(/(?<!\[\])(?:\[\])+$/, '');
      const lists = (step.length - name.length) / 2;
      return [...(name === '' ? [] : [`=${name}`]), ...Array.from({ length: lists }, () => EVERY)];
    });
  if (text.trim() === '' || steps.length > MOST_STEPS || steps.some((step) => /[[\]]/.test(step))) {
    throw new AssayError('USAGE', `${where}: "${text}" is no path; one looks like entities[].name`);
  }
  return steps;
}

function valuesAt(value: unknown, path: ValuePath, where = 'the output'): unknown[] {
  let here: unknown[] = [value];
  for (const step of path) {
    here = here.flatMap((one) =>
      step === EVERY ? (Array.isArray(one) ? one : []) : fieldOf(one, step.slice(1)),
    );
    if (here.length > MOST_VALUES)
      throw new AssayError('INPUT_INVALID', `${where}: a path leads to more than ${MOST_VALUES} values`);
  }
  return here;
}

function fieldOf(value: unknown, name: string): unknown[] {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? [(value as Record<string, unknown>)[name]]
    : [];
}

export function valueAt(value: unknown, path: ValuePath): unknown {
  return valuesAt(value, path).find((one) => one !== undefined && one !== null);
}
