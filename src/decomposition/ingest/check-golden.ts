import { AssayError } from '../../errors.ts';
import { normalise } from '../match/normalise.ts';
import type { GoldenCase } from './golden-case.ts';

export type GoldenFile = { readonly path: string; readonly golden: GoldenCase };

/** A golden set that contradicts itself would measure nonsense without a word; every fault is named with its file. */
export function checkGoldenSet(files: readonly GoldenFile[]): void {
  const faults = [...files.flatMap(faultsOf), ...repeatedIds(files)];
  const [first] = faults;
  if (first === undefined) return;
  const more = faults.length - 1;
  throw new AssayError('INPUT_INVALID', `${first}${more > 0 ? ` (and ${more} more)` : ''}`);
}

function repeatedIds(files: readonly GoldenFile[]): string[] {
  const first = new Map<string, string>();
  return files.flatMap(({ path, golden }) => {
    const other = first.get(golden.id);
    if (other === undefined) first.set(golden.id, path);
    return other === undefined ? [] : [`${path}: id: ${other} has the id "${golden.id}" as well`];
  });
}

function faultsOf({ path, golden }: GoldenFile): string[] {
  const labels = new Set<string>();
  const repeated = golden.expectedConcepts.flatMap(({ label }, i) => {
    const key = normalise(label);
    if (labels.has(key)) return [`expectedConcepts.${i}.label: "${label}" is expected twice`];
    labels.add(key);
    return [];
  });
  const names = new Set([
    ...labels,
    ...golden.expectedConcepts.flatMap(({ aliases }) => aliases.map(normalise)),
  ]);
  const loose = golden.expectedRelationships.flatMap((relationship, i) =>
    (['source', 'target'] as const).flatMap((end) =>
      names.has(normalise(relationship[end]))
        ? []
        : [
            `expectedRelationships.${i}.${end}: "${relationship[end]}" is no expected concept and no alias of one`,
          ],
    ),
  );
  const both = golden.forbiddenConcepts.flatMap((label, i) =>
    names.has(normalise(label)) ? [`forbiddenConcepts.${i}: "${label}" is expected as well`] : [],
  );
  return [...repeated, ...loose, ...both].map((fault) => `${path}: ${fault}`);
}
