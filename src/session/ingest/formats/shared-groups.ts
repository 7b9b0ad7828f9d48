/** Which keys belong together because something names both of them, in which files they are, and how much there is of them. */
import { hashKey } from '../copies/entry-keys.ts';

type Named = {
  readonly keys: readonly string[];
  readonly with?: string | undefined;
  readonly at: number | undefined;
  readonly weight: number;
  readonly leads: boolean;
};

type Group = {
  files: number[];
  weight: number;
  began: number;
  /** The first file in which something of it leads. */
  leader: number | undefined;
  pack?: number;
};

/** Files that are read together, and which of them owns the sessions. */
type Pack = { readonly owner: number; readonly files: readonly number[]; readonly weight: number };

export class SharedGroups {
  readonly #places = new Map<number, number>();
  readonly #parents: number[] = [];
  readonly #groups: (Group | undefined)[] = [];

  add({ keys, at, weight, leads }: Named, file: number): void {
    const [first, ...others] = keys.map((key) => this.#place(hashKey(key)));
    if (first === undefined) return;
    let root = this.#root(first);
    for (const other of others) root = this.#join(root, this.#root(other));
    const group = this.#groups[root] as Group;
    if (!group.files.includes(file)) group.files.push(file);
    group.weight += weight;
    if (at !== undefined) group.began = Math.min(group.began, at);
    if (leads) group.leader = Math.min(group.leader ?? file, file);
  }

  /** Those in several files, in order of time, as many together as `most` allows; those that are more are in none. */
  pack(most: number): Pack[] {
    const packs: Pack[] = [];
    const open = new Map<number, number>();
    const shared = this.#groups.filter((group) => group !== undefined && group.files.length > 1) as Group[];
    for (const group of shared.sort((a, b) => a.began - b.began)) {
      if (group.weight > most) continue;
      const owner = group.leader ?? Math.min(...group.files);
      const at = open.get(owner);
      const last = at === undefined ? undefined : packs[at];
      const isFull = last === undefined || last.weight + group.weight > most;
      group.pack = isFull ? packs.length : (at as number);
      open.set(owner, group.pack);
      const known = isFull ? { files: [], weight: 0 } : last;
      packs[group.pack] = {
        owner,
        files: [...new Set([...known.files, ...group.files])],
        weight: known.weight + group.weight,
      };
    }
    return packs;
  }

  packOf({ keys, with: company }: Named): number | undefined {
    const key = keys[0] ?? company;
    const place = key === undefined ? undefined : this.#places.get(hashKey(key));
    return place === undefined ? undefined : this.#groups[this.#root(place)]?.pack;
  }

  #place(key: number): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#parents.length;
    this.#parents.push(place);
    this.#groups.push({ files: [], weight: 0, began: Number.POSITIVE_INFINITY, leader: undefined });
    this.#places.set(key, place);
    return place;
  }

  #root(place: number): number {
    let at = place;
    while (this.#parents[at] !== at) {
      const above = this.#parents[at] as number;
      this.#parents[at] = this.#parents[above] as number;
      at = above;
    }
    return at;
  }

  #join(a: number, b: number): number {
    if (a === b) return a;
    const [into, from] = [this.#groups[a] as Group, this.#groups[b] as Group];
    this.#parents[b] = a;
    this.#groups[b] = undefined;
    into.files = [...new Set([...into.files, ...from.files])];
    into.weight += from.weight;
    into.began = Math.min(into.began, from.began);
    if (from.leader !== undefined) into.leader = Math.min(into.leader ?? from.leader, from.leader);
    return a;
  }
}
