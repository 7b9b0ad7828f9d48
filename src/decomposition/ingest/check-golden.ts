import { AssayError } from '../../errors.ts';
import { canaryKey } from '../match/canary-key.ts';
import { normalise } from '../match/normalise.ts';
import type { GoldenCase } from './golden-case.ts';

export type GoldenFile = { readonly path: string; readonly golden: GoldenCase };

export type GoldenCheck = {
  /** Throws when another case has the same id: nobody could tell their outputs apart. */
  readonly add: (file: GoldenFile) => void;
  /** What a case says against itself, with its file and place. It can be measured all the same, and gets worse by it. */
  readonly doubts: readonly string[];
};

export function openGoldenCheck(): GoldenCheck {
  const pathOf = new Map<string, string>();
  const doubts: string[] = [];
  return {
    add: ({ path, golden }) => {
      const other = pathOf.get(golden.id);
      if (other !== undefined) {
        throw new AssayError('INPUT_INVALID', `${path}: id: ${other} has the id "${golden.id}" as well`);
      }
      pathOf.set(golden.id, path);
      doubts.push(...doubtsAbout({ path, golden }));
    },
    doubts,
  };
}

function doubtsAbout({ path, golden }: GoldenFile): string[] {
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
  // Seen as canaries are: an expected name in disguise would be called one.
  const seen = new Set(
    golden.expectedConcepts.flatMap(({ label, aliases }) => [label, ...aliases].map(canaryKey)),
  );
  const both = golden.forbiddenConcepts.flatMap((label, i) =>
    seen.has(canaryKey(label)) ? [`forbiddenConcepts.${i}: "${label}" is expected as well`] : [],
  );
  return [...repeated, ...loose, ...both].map((doubt) => `${path}: ${doubt}`);
}
