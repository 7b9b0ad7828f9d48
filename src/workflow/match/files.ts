/** Which of the files that a ground truth names a finding means. */
import { sameFile } from './place.ts';

type Path = readonly string[];

/** `ambiguous`: the path fits two different files; `undefined`: it fits none. */
export type FileMeant = { readonly file: string } | 'ambiguous' | undefined;

/**
 * Looks a path up among the known ones, strictest first: the same path, the same ending, then without the `a/` or `b/`
 * that a diff puts before it, then without regard to case. A path that fits two different files at the first of these
 * that fits any means neither.
 */
export function openFiles(known: readonly Path[]): (path: Path) => FileMeant {
  const paths = [...new Map(known.map((path) => [path.join('/'), path])).values()];
  const byName = groupByName(paths);
  const byAnyName = groupByName(paths.map(lower));
  const seen = new Map<string, FileMeant>();
  return (path) => {
    const key = path.join('/');
    if (!seen.has(key)) seen.set(key, meantBy(path, byName, byAnyName, paths));
    return seen.get(key);
  };
}

type ByName = ReadonlyMap<string, readonly Path[]>;

/** Paths that mean one file end in the same name; only those need to be compared. */
function groupByName(paths: readonly Path[]): ByName {
  return Map.groupBy(paths, (path) => path.at(-1) ?? '');
}

function meantBy(path: Path, byName: ByName, byAnyName: ByName, paths: readonly Path[]): FileMeant {
  const without = /^[ab]$/.test(path[0] ?? '') && path.length > 1 ? path.slice(1) : undefined;
  for (const form of without === undefined ? [path] : [path, without]) {
    const found = among(form, byName);
    if (found !== undefined) return found;
  }
  const folded = among(lower(without ?? path), byAnyName) ?? among(lower(path), byAnyName);
  if (folded === undefined || folded === 'ambiguous') return folded;
  const meant = paths.filter((one) => lower(one).join('/') === folded.file);
  return meant.length === 1 ? { file: (meant[0] as Path).join('/') } : 'ambiguous';
}

function among(path: Path, byName: ByName): FileMeant {
  const named = byName.get(path.at(-1) ?? '') ?? [];
  const key = path.join('/');
  if (named.some((one) => one.join('/') === key)) return { file: key };
  const fitting = named.filter((one) => sameFile(path, one));
  // Of paths that are one file written at different lengths the longest names it.
  const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined) return undefined;
  return fitting.every((one) => sameFile(one, longest)) ? { file: longest.join('/') } : 'ambiguous';
}

function lower(path: Path): Path {
  return path.map((part) => part.toLowerCase());
}
