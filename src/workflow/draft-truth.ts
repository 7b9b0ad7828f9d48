/** Drafts a ground truth from the findings of one review, for the user to correct. */
import type { ReviewRun } from './review.ts';
import { CATEGORIES } from './truth.ts';

/** As written in JSON and YAML. */
export type TruthDraft = {
  readonly draft: string;
  readonly task: string;
  readonly version: string;
  readonly categories?: readonly string[];
  readonly errors: readonly object[];
};

export type DraftedTruth = {
  readonly path: string;
  readonly review: string;
  readonly truth: TruthDraft;
  /** Findings whose severity or category was missing and had to be guessed. */
  readonly guessed: number;
};

/** Written into the file; whoever removes it confirms the content. */
const DRAFT =
  'Proposed from one review. Correct every error, add those that it missed, then delete this line: until then no gate passes on it.';

export function draftTruth(
  runs: readonly ReviewRun[],
  task: string,
  categories: readonly string[],
): { readonly truth: TruthDraft; readonly guessed: number } {
  const [fallback = 'SCOPE'] = categories;
  const findings = [
    ...new Map(runs.flatMap((run) => run.findings).map((one) => [placeKey(one), one])).values(),
  ];
  const named = [...new Set([...categories, ...findings.flatMap(({ category }) => category ?? [])])];
  const errors = findings.map(
    ({ title, description, severity, category, quote, file, section, lines }, i) => ({
      id: `E${i + 1}`,
      severity: severity ?? 'IMPORTANT',
      category: category ?? fallback,
      description: description ?? title,
      ...((file ?? section ?? lines) !== undefined && {
        locations: [{ file, section, lines: lines && [...lines] }],
      }),
      quote,
    }),
  );
  const isDocumented = named.length === CATEGORIES.length && CATEGORIES.every((one) => named.includes(one));
  return {
    truth: { draft: DRAFT, task, version: '0.1', ...(!isDocumented && { categories: named }), errors },
    guessed: findings.filter(({ severity, category }) => severity === undefined || category === undefined)
      .length,
  };
}

/** Two findings with the same place and the same name are one error. */
function placeKey({ title, file, section, lines }: ReviewRun['findings'][number]): string {
  return JSON.stringify([title, file, section, lines]);
}
