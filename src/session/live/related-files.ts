/**
 * Files that have to be read together: with copies of the same entries, with a session and its sub-agents, or with work
 * in one repository. Files stay related: reading more than necessary takes time and changes nothing.
 */
export class RelatedFiles {
  readonly #paths: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #above: number[] = [];
  /** Name → the first file that had it. */
  readonly #owners = new Map<number, number>();

  /** Whoever had one of these names before is related to the file from now on. */
  relate(path: string, names: Iterable<number>): void {
    const own = this.#numberOf(path);
    for (const name of names) {
      const other = this.#owners.get(name);
      if (other === undefined) this.#owners.set(name, own);
      else if (other !== own) this.#join(own, other);
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
