import { join } from 'node:path';
import { listNames } from '../../files.ts';

/** The outputs of one case, in the order of their executions, or why they cannot be told apart. */
export type OutputFiles = { readonly paths: readonly string[] } | { readonly error: string };

export type OutputFolder = {
  readonly filesOf: (caseId: string) => OutputFiles;
  readonly count: number;
  /** Files that belong to none of these cases. */
  readonly strangers: (caseIds: readonly string[]) => string[];
};

const KINDS = ['.json', '.ttl', '.nt', '.cypher'];

/** `<case id>.json` for one execution, or `<case id>.<n>.json` for several; most count from 1, some from 0. */
export function readOutputFolder(folder: string): OutputFolder {
  const names = KINDS.flatMap((kind) => listNames(folder, kind)).sort();
  const repeats = new Map<string, Map<number, string>>();
  const single = new Map<string, string>();
  for (const name of names) {
    const { id, n } = partsOf(name);
    if (n === undefined) single.set(id, name);
    else repeats.set(id, (repeats.get(id) ?? new Map()).set(n, name));
  }
  return {
    count: names.length,
    filesOf: (caseId) => {
      const alone = join(folder, single.get(caseId) ?? `${caseId}.json`);
      const numbers = repeats.get(caseId);
      if (numbers === undefined) return { paths: [alone] };
      if (single.has(caseId)) {
        return {
          error: `${alone}: there are numbered outputs of this case as well; keep one of the two forms`,
        };
      }
      return { paths: [...numbers].sort(([a], [b]) => a - b).map(([, name]) => join(folder, name)) };
    },
    strangers: (caseIds) => {
      const known = new Set(caseIds);
      return names.filter((name) => !known.has(partsOf(name).id));
    },
  };
}

function partsOf(name: string): { id: string; n: number | undefined } {
  const [, id = '', n] = /^(.*?)(?:\.(0|[1-9]\d{0,8}))?\.(?:json|ttl|nt|cypher)$/.exec(name) ?? [];
  return { id, n: n === undefined ? undefined : Number(n) };
}
