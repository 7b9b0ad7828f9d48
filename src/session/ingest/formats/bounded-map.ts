/**
 * A bounded memory of what was seen lately. Two generations: when the younger is full it becomes the older and the
 * older is forgotten, so that at least `KEPT` of the latest keys are always known, at constant cost.
 *
 * As JSON it is lists of pairs. One that was stored comes back as such, and is made a map when it is first used.
 */
export type BoundedMap<T> = { young: Generation<T>; old: Generation<T> };
type Generation<T> = Entries<T> | (readonly [key: string, value: T])[];

const KEPT = 1024;

class Entries<T> extends Map<string, T> {
  toJSON(): [key: string, value: T][] {
    return [...this];
  }
}

export function newBoundedMap<T>(): BoundedMap<T> {
  return { young: new Entries(), old: new Entries() };
}

function young<T>(map: BoundedMap<T>): Entries<T> {
  if (map.young instanceof Entries) return map.young;
  map.young = new Entries(map.young);
  return map.young;
}

function old<T>(map: BoundedMap<T>): Entries<T> {
  if (map.old instanceof Entries) return map.old;
  map.old = new Entries(map.old);
  return map.old;
}

export function recall<T>(map: BoundedMap<T>, key: string): T | undefined {
  return young(map).get(key) ?? old(map).get(key);
}

export function remember<T>(map: BoundedMap<T>, key: string, value: T, kept = KEPT): void {
  let entries = young(map);
  if (entries.size >= kept && !entries.has(key)) {
    map.old = entries;
    entries = new Entries();
    map.young = entries;
  }
  entries.set(key, value);
}

export function forget<T>(map: BoundedMap<T>, key: string): void {
  young(map).delete(key);
  old(map).delete(key);
}

/** The oldest first. */
export function* entriesOf<T>(map: BoundedMap<T>): Generator<[key: string, value: T]> {
  for (const entry of old(map)) if (!young(map).has(entry[0])) yield entry;
  yield* young(map);
}
