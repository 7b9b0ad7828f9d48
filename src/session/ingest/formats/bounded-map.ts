/**
 * A bounded memory of what was seen lately. Two generations: when the younger is full it becomes the older and the
 * older is forgotten, so that at least `KEPT` of the latest keys are always known, at constant cost.
 *
 * As JSON it is lists of pairs. A memory that was stored comes back as such, and is made a map when it is first used.
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

function young<T>(memory: BoundedMap<T>): Entries<T> {
  if (memory.young instanceof Entries) return memory.young;
  memory.young = new Entries(memory.young);
  return memory.young;
}

function old<T>(memory: BoundedMap<T>): Entries<T> {
  if (memory.old instanceof Entries) return memory.old;
  memory.old = new Entries(memory.old);
  return memory.old;
}

export function recall<T>(memory: BoundedMap<T>, key: string): T | undefined {
  return young(memory).get(key) ?? old(memory).get(key);
}

export function remember<T>(memory: BoundedMap<T>, key: string, value: T, kept = KEPT): void {
  let entries = young(memory);
  if (entries.size >= kept && !entries.has(key)) {
    memory.old = entries;
    entries = new Entries();
    memory.young = entries;
  }
  entries.set(key, value);
}
