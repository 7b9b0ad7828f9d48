/** Maps and lists with a size limit, however large the file. */

/** At least the latest `kept` keys stay: the older half is dropped when there are twice as many. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, limit = 1024): void {
  if (map.size >= 2 * limit && !map.has(key))
    for (const oldest of [...map.keys()].slice(0, limit)) map.delete(oldest);
  map.set(key, value);
}

export function pushBounded<T>(list: T[], item: T, limit: number): void {
  list.push(item);
  if (list.length > limit) list.shift();
}
