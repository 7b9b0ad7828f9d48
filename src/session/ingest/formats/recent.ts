/**
 * A bounded memory of what was seen lately, as plain JSON. Two generations: when the younger is full it becomes the
 * older and the older is forgotten, so that at least `KEPT` of the latest keys are always known, at constant cost.
 */
export type Recent<T> = { young: { [key: string]: T }; old: { [key: string]: T }; size: number };

const KEPT = 1024;

export function newRecent<T>(): Recent<T> {
  return { young: {}, old: {}, size: 0 };
}

// The mark keeps keys from the input apart from what every object inherits (`constructor`, `__proto__`).
const marked = (key: string): string => `:${key}`;

export function recall<T>(memory: Recent<T>, key: string): T | undefined {
  return memory.young[marked(key)] ?? memory.old[marked(key)];
}

export function remember<T>(memory: Recent<T>, key: string, value: T): void {
  const name = marked(key);
  if (memory.young[name] === undefined) {
    if (memory.size >= KEPT) {
      memory.old = memory.young;
      memory.young = {};
      memory.size = 0;
    }
    memory.size += 1;
  }
  memory.young[name] = value;
}
