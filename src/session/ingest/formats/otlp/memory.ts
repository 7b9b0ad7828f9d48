/**
 * A map that forgets the oldest, in plain JSON: what an adapter remembers between lines must stay small however long
 * the file is. Keys come from the file, so they are marked and cannot name a property of objects.
 */
export type Memory<V> = { size: number; readonly entries: Record<string, V> };

export function newMemory<V>(): Memory<V> {
  return { size: 0, entries: {} };
}

export function recall<V>(memory: Memory<V>, key: string): V | undefined {
  return memory.entries[`#${key}`];
}

/** Forgets in bulk once there are twice as many as are kept, so that each call costs next to nothing. */
export function remember<V>(memory: Memory<V>, key: string, value: V, kept: number): void {
  if (memory.entries[`#${key}`] === undefined) memory.size += 1;
  memory.entries[`#${key}`] = value;
  if (memory.size <= 2 * kept) return;
  for (const oldest in memory.entries) {
    if (memory.size <= kept) break;
    delete memory.entries[oldest];
    memory.size -= 1;
  }
}
