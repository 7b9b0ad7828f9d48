/** Who started whom: sessions name the one that started them by its id, which others may have too. */
import { dirname } from 'node:path';
import type { RollupInput } from './rollup.ts';

/** A session that started others, or was started. */
export type Relative = {
  readonly key: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly source: string;
  readonly path: string;
  readonly q: number | undefined;
  readonly costUsd: number | undefined;
};

export type Families = {
  /** By key. */
  readonly families: readonly RollupInput[];
  /** Keys of sessions that may have started one of which nobody can tell: what they come to is not known. */
  readonly uncertain: ReadonlySet<string>;
};

/** Of several sessions with the id of a parent, the one of the same source whose file is nearest is meant. */
export function familiesOf(relatives: readonly Relative[]): Families {
  const parents = new Parents(relatives);
  const unclear = new Set<readonly string[]>();
  const families = relatives.map((one): RollupInput => {
    const { key, q, costUsd } = one;
    const meant = parents.of(one);
    if (meant.length > 1) unclear.add(meant);
    return { sessionId: key, parentSessionId: meant.length === 1 ? meant[0] : undefined, q, costUsd };
  });
  return { families, uncertain: new Set([...unclear].flat()) };
}

/** Keys of sessions, by where their files are: under a file, its folder and all folders above. */
type Places = Map<string, string[]>;

class Parents {
  readonly #byId: ReadonlyMap<string, readonly Relative[]>;
  readonly #places = new Map<string, Places>();

  constructor(relatives: readonly Relative[]) {
    this.#byId = Map.groupBy(relatives, ({ id }) => id);
  }

  /** Those that are equally near; none when the parent was not read. */
  of({ parentId, source, path }: Relative): readonly string[] {
    const namesakes = parentId === undefined ? [] : (this.#byId.get(parentId) ?? []);
    if (parentId === undefined || namesakes.length < 2) return namesakes.map(({ key }) => key);
    const places = this.#placesOf(parentId, source, namesakes);
    for (const place of above(path)) {
      const found = places.get(place);
      if (found !== undefined) return found;
    }
    return [];
  }

  #placesOf(parentId: string, source: string, namesakes: readonly Relative[]): Places {
    const name = JSON.stringify([parentId, source]);
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const places: Places = new Map();
    const ofSource = namesakes.filter((one) => one.source === source);
    for (const { key, path } of ofSource.length === 0 ? namesakes : ofSource) {
      for (const place of above(path)) {
        const here = places.get(place);
        if (here === undefined) places.set(place, [key]);
        else if (here.at(-1) !== key) here.push(key);
      }
    }
    this.#places.set(name, places);
    return places;
  }
}

/** The file, its folder, and so on; the last is above everything. */
function* above(path: string): Generator<string> {
  for (let place = path; ; place = dirname(place)) {
    yield place;
    if (place === dirname(place)) break;
  }
  yield '';
}
