/** What is in the files, as plain rows for a table. */
import { LABELS, type ReviewRun } from '../review.ts';
import { type GroundTruth, SEVERITIES, type Severity } from '../truth.ts';

export type CategoryRow = { readonly category: string; readonly all: number } & Readonly<
  Record<Severity, number>
>;

/** Errors per category and severity; categories without errors come last. */
export function categoryRows(truths: readonly GroundTruth[]): CategoryRow[] {
  const errors = truths.flatMap((truth) => truth.errors);
  const categories = [...new Set(truths.flatMap((truth) => truth.categories))];
  const byCategory = Map.groupBy(errors, ({ category }) => category);
  return categories
    .map((category) => {
      const own = byCategory.get(category) ?? [];
      const count = (severity: Severity) => own.filter((error) => error.severity === severity).length;
      const [CRITICAL, IMPORTANT, MINOR] = SEVERITIES.map(count) as [number, number, number];
      return { category, CRITICAL, IMPORTANT, MINOR, all: own.length };
    })
    .sort((a, b) => b.all - a.all);
}

export type AuthorRow = { readonly author: string; readonly all: number } & Readonly<
  Record<(typeof LABELS)[number], number>
>;

/** Labels per author. */
export function authorRows(runs: readonly ReviewRun[]): AuthorRow[] {
  const labels = runs.flatMap(({ findings }) => findings.flatMap((finding) => finding.labels));
  return [...Map.groupBy(labels, ({ by }) => by)].map(([author, own]) => {
    const counts = Object.fromEntries(
      LABELS.map((match) => [match, own.filter((label) => label.match === match).length]),
    );
    return { author, ...(counts as Record<(typeof LABELS)[number], number>), all: own.length };
  });
}
