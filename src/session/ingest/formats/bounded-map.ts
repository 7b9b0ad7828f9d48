/**
 * A bounded memory of what was seen lately. Two generations: when the younger is full it becomes the older and the
 * older is forgotten, so that at least `KEPT` of the latest keys are always known, at constant cost.
 */
export type BoundedMap<T> = { young: Map<string, T>; old: Map<string, T> };

const KEPT = 1024;

export function newBoundedMap<T>(): BoundedMap<T> {
  return { young: new Map(), old: new Map() };
}

export function recall<T>({ young, old }: BoundedMap<T>, key: string): T | undefined {
  return young.get(key) ?? old.get(key);
}

export function remember<T>(map: BoundedMap<T>, key: string, value: T, kept = KEPT): void {
  if (map.young.size >= kept && !map.young.has(key)) {
    map.old = map.young;
    map.young = new Map();
  }
  map.young.set(key, value);
}

export function forget<T>({ young, old }: BoundedMap<T>, key: string): void {
  young.delete(key);
  old.delete(key);
}

/** The oldest first. */
export function* entriesOf<T>({ young, old }: BoundedMap<T>): Generator<[key: string, value: T]> {
  for (const entry of old) if (!young.has(entry[0])) yield entry;
  yield* young;
}
