/** Ways in which a line gets damaged, driven by a seeded generator so that a failure can be repeated. */

export type Random = {
  next: () => number;
  below: (limit: number) => number;
  pick: <T>(choices: readonly T[]) => T;
};

/** mulberry32 */
export function seeded(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (choices) => choices[below(choices.length)] as (typeof choices)[number] };
}

type Mutation = (line: Buffer, random: Random) => Buffer;

const STRUCTURE = Buffer.from('{}[]",:\\');

const flipBit: Mutation = (line, random) => {
  const copy = Buffer.from(line);
  const at = random.below(copy.length);
  copy[at] = (copy[at] as number) ^ (1 << random.below(8));
  return copy;
};

const overwrite: Mutation = (line, random) => {
  const copy = Buffer.from(line);
  copy[random.below(copy.length)] = random.next() < 0.5 ? random.below(256) : random.pick([...STRUCTURE]);
  return copy;
};

const cut: Mutation = (line, random) => line.subarray(0, random.below(line.length));
const behead: Mutation = (line, random) => line.subarray(random.below(line.length));

const remove: Mutation = (line, random) => {
  const at = random.below(line.length);
  return Buffer.concat([line.subarray(0, at), line.subarray(at + 1 + random.below(8))]);
};

const insert: Mutation = (line, random) => {
  const at = random.below(line.length);
  const bytes = Buffer.from(Array.from({ length: 1 + random.below(6) }, () => random.below(256)));
  return Buffer.concat([line.subarray(0, at), bytes, line.subarray(at)]);
};

const double: Mutation = (line, random) => Buffer.concat([line, cut(line, random)]);

/** A value of another kind: numbers that overflow, nesting, names that objects inherit. */
const retype: Mutation = (line, random) => {
  const value = random.pick([
    '1e999',
    '-0',
    '9'.repeat(400),
    'null',
    'true',
    '[]',
    '{}',
    '{"__proto__":{"polluted":1}}',
    '"\\ud800"',
    '['.repeat(5000) + ']'.repeat(5000),
    `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  ]);
  const text = line.toString('latin1');
  const places = [...text.matchAll(/":/g)].map(({ index }) => index + 2);
  if (places.length === 0) return line;
  const at = random.pick(places);
  const end = /^(?:"(?:[^"\\]|\\.)*"|[\w.+-]*)/.exec(text.slice(at))?.[0].length ?? 0;
  return Buffer.from(text.slice(0, at) + value + text.slice(at + end), 'latin1');
};

const MUTATIONS: readonly Mutation[] = [flipBit, overwrite, cut, behead, remove, insert, double, retype];

export function mutate(line: Buffer, random: Random): Buffer {
  return line.length === 0 ? line : random.pick(MUTATIONS)(line, random);
}
