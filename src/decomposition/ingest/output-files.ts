import { join } from 'node:path';
import { listNames } from '../../files.ts';

/** The outputs of one case, in the order of their executions, or why they cannot be told apart. */
export type OutputFiles = { readonly paths: readonly string[] } | { readonly error: string };

export type OutputFolder = {
  readonly filesOf: (caseId: string) => OutputFiles;
  /** Files that belong to none of these cases. */
  readonly strangers: (caseIds: readonly string[]) => string[];
};

/** `<case id>.json` for one execution, or `<case id>.<n>.json` for several; most count from 1, some from 0. */
export function readOutputFolder(folder: string): OutputFolder {
  const names = listNames(folder, '.json');
  const repeats = new Map<string, number[]>();
  const single = new Set<string>();
  for (const name of names) {
    const { id, n } = partsOf(name);
    if (n === undefined) single.add(id);
    else
      repeats
        .set(id, repeats.get(id) ?? [])
        .get(id)
        ?.push(n);
  }
  return {
    filesOf: (caseId) => {
      const alone = join(folder, `${caseId}.json`);
      const numbers = repeats.get(caseId);
      if (numbers === undefined) return { paths: [alone] };
      if (single.has(caseId)) {
        return {
          error: `${alone}: there are numbered outputs of this case as well; keep one of the two forms`,
        };
      }
      return { paths: numbers.sort((a, b) => a - b).map((n) => join(folder, `${caseId}.${n}.json`)) };
    },
    strangers: (caseIds) => {
      const known = new Set(caseIds);
      return names.filter((name) => !known.has(partsOf(name).id));
    },
  };
}

function partsOf(name: string): { id: string; n: number | undefined } {
  const [, id = '', n] = /^(.*?)(?:\.(0|[1-9]\d{0,8}))?\.json$/.exec(name) ?? [];
  return { id, n: n === undefined ? undefined : Number(n) };
}
