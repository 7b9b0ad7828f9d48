/** One input into another: by bytes, by lines, by the words that its like are made of, and by the structure of JSON. */
import { mutated } from '../src/session/ingest/formats/testing/mutate.ts';
import { mutate as mutateBytes, type Random } from '../src/session/ingest/testing/mutate-bytes.ts';

/** Longer inputs are slow and reach nothing that shorter ones do not. */
export const LONGEST_INPUT = 64 * 1024;

type Mutation = (input: Buffer, random: Random, others: Others) => Buffer;
type Others = { readonly another: () => Buffer; readonly word: () => string };

const bytes: Mutation = (input, random) =>
  input.length === 0 ? Buffer.from('{}') : mutateBytes(input, random);

const lines: Mutation = (input, random) => {
  const all = input.toString('latin1').split('\n');
  const at = random.below(all.length);
  const [line = ''] = all.splice(at, 1);
  const how = random.below(3);
  if (how === 1) all.splice(random.below(all.length + 1), 0, line);
  if (how === 2) all.splice(at, 0, line, line);
  return Buffer.from(all.join('\n'), 'latin1');
};

const splice: Mutation = (input, random, { another }) => {
  const other = another();
  const from = random.below(other.length + 1);
  const piece = other.subarray(from, from + 1 + random.below(512));
  const at = random.below(input.length + 1);
  return Buffer.concat([input.subarray(0, at), piece, input.subarray(at + random.below(piece.length + 1))]);
};

/** A word for another one. */
const words: Mutation = (input, random, { word }) => {
  const text = input.toString('latin1');
  const found = [...text.matchAll(/[\w.$-]+/g)];
  const { index, 0: old } = found[random.below(found.length)] ?? { index: 0, 0: '' };
  return Buffer.from(text.slice(0, index) + word() + text.slice(index + old.length), 'latin1');
};

/** Of a document, or of one of its lines. */
const structure: Mutation = (input, random, { another }) => {
  const text = input.toString('utf8');
  const whole = parse(text);
  const change = (value: unknown) => changed(value, random, another);
  if (whole !== undefined) return Buffer.from(JSON.stringify(change(whole)) ?? 'null');
  const all = text.split('\n');
  const at = random.below(all.length);
  const value = parse(all[at] ?? '');
  if (value === undefined) return bytes(input, random, { another, word: () => '' });
  all[at] = JSON.stringify(change(value)) ?? 'null';
  return Buffer.from(all.join('\n'));
};

function changed(value: unknown, random: Random, another: () => Buffer): unknown {
  if (random.next() < 0.7) {
    const one = () => ({ where: random.below(1_000_000), how: random.below(5), odd: random.below(21) });
    return mutated(value, Array.from({ length: 1 + random.below(3) }, one));
  }
  const copy: unknown = structuredClone(value);
  const [place, donor] = [
    random.pick(placesIn(copy)),
    random.pick(placesIn(parse(another().toString('utf8')))),
  ];
  if (place !== undefined && donor !== undefined) place.holder[place.key] = donor.holder[donor.key];
  return copy;
}

type Place = { readonly holder: Record<string, unknown>; readonly key: string };

function placesIn(root: unknown): Place[] {
  const places: Place[] = [];
  const left = [root];
  while (left.length > 0 && places.length < 5000) {
    const holder = left.pop();
    if (typeof holder !== 'object' || holder === null) continue;
    for (const key of Object.keys(holder)) {
      places.push({ holder: holder as Record<string, unknown>, key });
      left.push((holder as Record<string, unknown>)[key]);
    }
  }
  return places;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MUTATIONS: readonly Mutation[] = [bytes, bytes, lines, splice, words, structure, structure, structure];

export function mutate(input: Buffer, random: Random, others: Others): Buffer {
  let mutant = input;
  for (let left = 1 + random.below(4); left > 0; left -= 1)
    mutant = random.pick(MUTATIONS)(mutant, random, others);
  return mutant.subarray(0, LONGEST_INPUT);
}

/** Names and values in the inputs there are: what a reader of them may be looking for. */
export function wordsIn(inputs: readonly Buffer[]): readonly string[] {
  const found = new Set<string>([
    '-1',
    '0',
    '1e999',
    'null',
    'true',
    '""',
    '__proto__',
    'constructor',
    '\0',
    '9'.repeat(20),
  ]);
  for (const input of inputs)
    for (const [word] of input
      .toString('latin1')
      .slice(0, LONGEST_INPUT)
      .matchAll(/[\w.$-]{1,40}/g))
      found.add(word);
  return [...found];
}
