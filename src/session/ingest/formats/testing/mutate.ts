/** Damages JSON the way broken, foreign and hostile files do, with a seed so that a failure can be seen again. */
import fc from 'fast-check';

const ODD: readonly unknown[] = [
  null,
  undefined,
  '',
  '\u0000',
  'x'.repeat(5000),
  '{"a":',
  '###STOP###',
  -1,
  0,
  1e308,
  Number.NaN,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  [],
  {},
  [[[]]],
  [null],
  { ['__proto__']: { polluted: true } },
  { constructor: { prototype: null } },
  { key: '__proto__', value: { stringValue: 'x' } },
];

type Change = { readonly where: number; readonly how: number; readonly odd: number };

export const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({ where: fc.nat(1_000_000), how: fc.nat(4), odd: fc.nat(ODD.length - 1) }),
  { minLength: 1, maxLength: 6 },
);

/** A copy of `value` with some of its places replaced, removed, renamed or doubled. */
export function mutated(value: unknown, todo: readonly Change[]): unknown {
  let copy: unknown = structuredClone(value);
  for (const change of todo) copy = mutatedOnce(copy, change);
  return copy;
}

function mutatedOnce(root: unknown, { where, how, odd }: Change): unknown {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  collect(root, places, 0);
  const place = places[where % Math.max(1, places.length)];
  const strange: unknown = structuredClone(ODD[odd]);
  if (place === undefined) return strange;
  const { holder, key } = place;
  if (how === 0) delete holder[key];
  else if (how === 1) holder[`${key}x`] = holder[key];
  else if (how === 2) holder[key] = [holder[key], structuredClone(holder[key])];
  else if (how === 3)
    holder[key] = typeof holder[key] === 'string' ? Number(holder[key]) : String(holder[key]);
  else holder[key] = strange;
  return root;
}

function collect(
  value: unknown,
  places: { holder: Record<string, unknown>; key: string }[],
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || depth > 40) return;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    places.push({ holder, key });
    collect(holder[key], places, depth + 1);
  }
}
