/**
 * Which files have to be looked at together: those with copies of the same entries, those of a session and of the ones it
 * started, those whose work lies in one repository. Once related, always related: looking at more files than necessary
 * takes time and changes nothing.
 */
const FIRST_SIZE = 2 ** 12;

export class RelatedFiles {
  readonly #paths: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #above: number[] = [];
  readonly #owners = new OwnerTable();

  /** Whoever had one of these names before is related to the file from now on. */
  relate(path: string, names: Iterable<number>): void {
    const own = this.#numberOf(path);
    for (const name of names) {
      const other = this.#owners.claim(name, own);
      if (other !== own) this.#join(own, other);
    }
  }

  /** These files and all that are related to them, by path. */
  with(paths: Iterable<string>): string[] {
    const roots = new Set<number>();
    const alone: string[] = [];
    for (const path of paths) {
      const number = this.#numbers.get(path);
      if (number === undefined) alone.push(path);
      else roots.add(this.#rootOf(number));
    }
    const related = this.#paths.filter((_, number) => roots.has(this.#rootOf(number)));
    return [...new Set([...alone, ...related])].sort();
  }

  /** Which of them belong together: those with the same number. */
  groupOf(path: string): number {
    const number = this.#numbers.get(path);
    return number === undefined ? -1 : this.#rootOf(number);
  }

  #numberOf(path: string): number {
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    const number = this.#paths.length;
    this.#paths.push(path);
    this.#above.push(number);
    this.#numbers.set(path, number);
    return number;
  }

  #rootOf(start: number): number {
    let number = start;
    while (this.#above[number] !== number) {
      this.#above[number] = this.#above[this.#above[number] as number] as number;
      number = this.#above[number] as number;
    }
    return number;
  }

  #join(a: number, b: number): void {
    this.#above[this.#rootOf(a)] = this.#rootOf(b);
  }
}

/** Key → the first who had it, in 12 bytes: there may be millions, and a Map takes four times as much. */
class OwnerTable {
  #keys = new Float64Array(FIRST_SIZE);
  /** 0 for a free place, else the number of the owner and one. */
  #owners = new Int32Array(FIRST_SIZE);
  #count = 0;

  claim(key: number, owner: number): number {
    if (this.#count * 2 >= this.#keys.length) this.#grow();
    const place = placeOf(key, this.#keys, this.#owners);
    const known = this.#owners[place] as number;
    if (known !== 0) return known - 1;
    this.#keys[place] = key;
    this.#owners[place] = owner + 1;
    this.#count += 1;
    return owner;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    const owners = new Int32Array(keys.length);
    for (const [from, owner] of this.#owners.entries()) {
      if (owner === 0) continue;
      const key = this.#keys[from] as number;
      const to = placeOf(key, keys, owners);
      keys[to] = key;
      owners[to] = owner;
    }
    this.#keys = keys;
    this.#owners = owners;
  }
}

/** Where the key stands, or would. */
function placeOf(key: number, keys: Float64Array, owners: Int32Array): number {
  const mask = keys.length - 1;
  const mixed = Math.imul((key >>> 0) ^ Math.floor(key / 2 ** 32), 0x9e3779b1);
  let place = (mixed ^ (mixed >>> 15)) & mask;
  while (owners[place] !== 0 && keys[place] !== key) place = (place + 1) & mask;
  return place;
}
