/** The files of a repository that sessions wrote, through all their names. */
import { commonEnd, pathEnds } from '../fold/line-fingerprints.ts';

/** A file by its path in the session. */
export type WantedFile = {
  /** Its path (`pathEnds`). */
  readonly ends: readonly number[];
  /** The salt of its line hashes: its name, or its first name in the session. */
  readonly salt: number;
};

/** The path under which a session's file was added to the repository. */
export type Alias = { readonly file: WantedFile; readonly path: string };

/** Tracks files through renames: names that a rename connects are one file. */
export class FileNames {
  readonly #above = new Map<string, string>();

  note([status = '', first = '', second]: readonly string[]): void {
    if (second !== undefined && status.startsWith('R')) this.#join(first, second);
    else this.#rootOf(second ?? first);
  }

  #rootOf(path: string): string {
    let root = path;
    for (
      let above = this.#above.get(root);
      above !== undefined && above !== root;
      above = this.#above.get(root)
    )
      root = above;
    this.#above.set(path, root);
    return root;
  }

  #join(one: string, other: string): void {
    const [a, b] = [this.#rootOf(one), this.#rootOf(other)];
    if (a !== b) this.#above.set(b, a);
  }

  wantedFiles(wanted: readonly WantedFile[], aliases: readonly Alias[] = []): WantedFiles {
    const names = new Set(wanted.map(({ ends: [name] }) => name));
    const also = new Set(aliases.map(({ path }) => path));
    const families = new Map<string, string[]>();
    for (const path of this.#above.keys()) {
      const root = this.#rootOf(path);
      const family = families.get(root);
      if (family === undefined) families.set(root, [path]);
      else family.push(path);
    }
    const known = [...families.values()].filter((family) =>
      family.some((path) => also.has(path) || (names.has(pathEnds(path)[0] ?? 0) && isWanted(path, wanted))),
    );
    return new WantedFiles(known, wanted, aliases);
  }
}

function isWanted(path: string, wanted: readonly WantedFile[]): boolean {
  const ends = pathEnds(path);
  return wanted.some((one) => one.ends[0] === ends[0] && commonEnd(one.ends, ends) > 0);
}

export type FileSalts = { readonly id: number; readonly salts: readonly number[] };

/** The files that sessions wrote, with the salts of their line hashes: one per name that a session uses. */
export class WantedFiles {
  readonly #byPath = new Map<string, FileSalts>();
  readonly #ends: { readonly id: number; readonly ends: readonly number[] }[] = [];
  readonly #aliases = new Map<string, number>();

  constructor(
    families: readonly (readonly string[])[],
    wanted: readonly WantedFile[],
    aliases: readonly Alias[],
  ) {
    const bySalt = Map.groupBy(wanted, ({ ends: [name] }) => name ?? 0);
    const byAlias = Map.groupBy(aliases, ({ path }) => path);
    families.forEach((family, id) => {
      const ends = family.map(pathEnds);
      const named = ends.flatMap(([name = 0]) => bySalt.get(name) ?? []);
      const found = family.flatMap((path) => byAlias.get(path) ?? []).map(({ file }) => file);
      const salts = [
        ...new Set([...named, ...found].flatMap(({ salt, ends: [name = salt] }) => [salt, name])),
      ];
      for (const path of family) this.#byPath.set(path, { id, salts });
      for (const one of ends) this.#ends.push({ id, ends: one });
      for (const one of found) this.#aliases.set(one.ends.join(), id);
    });
  }

  get paths(): string[] {
    return [...this.#byPath.keys()].filter((path) => !path.includes('\n'));
  }

  of(path: string): FileSalts | undefined {
    return this.#byPath.get(path);
  }

  idsOf(paths: readonly string[]): Set<number> {
    return new Set(paths.flatMap((path) => this.of(path)?.id ?? []));
  }

  /** The file under its alias, else the one with the longest common path. */
  idOf(ends: readonly number[]): number | undefined {
    const alias = this.#aliases.get(ends.join());
    if (alias !== undefined) return alias;
    let best: { id: number; depth: number } | undefined;
    for (const one of this.#ends) {
      const depth = commonEnd(one.ends, ends);
      if (depth > (best?.depth ?? 0)) best = { id: one.id, depth };
    }
    return best?.id;
  }
}
