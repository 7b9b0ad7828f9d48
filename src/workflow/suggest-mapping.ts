/** Suggests what unknown categories of other tools mean, by their names. */
import type { ReviewRun } from './review.ts';
import type { GroundTruth } from './truth.ts';

export type UnmappedCategory = {
  readonly workflow: string;
  readonly category: string;
  readonly findings: number;
  /** A category of the ground truth; absent if the name suggests none. */
  readonly suggested?: string;
};

export type SuggestedMapping = {
  /** Over all workflows, most frequent first. */
  readonly unmapped: readonly Omit<UnmappedCategory, 'workflow'>[];
  /** The written file. */
  readonly path?: string;
};

/** Most frequent first. Findings of these categories are matched as findings without one. */
export function unmappedCategories(truth: GroundTruth, runs: readonly ReviewRun[]): UnmappedCategory[] {
  const known = new Set(truth.categories.map((name) => name.toUpperCase()));
  const strange = runs.flatMap(({ workflow, findings }) =>
    findings.flatMap(({ category }) =>
      category === undefined || known.has(category.trim().toUpperCase()) ? [] : [{ workflow, category }],
    ),
  );
  return [...Map.groupBy(strange, (one) => JSON.stringify([one.workflow, one.category])).values()]
    .flatMap(([one, ...others]) =>
      one === undefined
        ? []
        : [
            {
              ...one,
              findings: 1 + others.length,
              suggested: suggestCategory(one.category, truth.categories),
            },
          ],
    )
    .sort((a, b) => b.findings - a.findings || (a.category < b.category ? -1 : 1));
}

/** Typical name parts of linters and analysers, for the documented categories. */
const PARTS: Readonly<Record<string, RegExp>> = {
  SECURE:
    /secur|inject|xss|csrf|ssrf|sql|auth|crypt|secret|credential|password|sanitiz|escap|cwe-|vuln|taint|permission|eval/,
  PERF: /perf|slow|n\+1|complex|memory|cach|efficien|latency|await-in-loop/,
  EDGE: /edge|null|undefined|bound|overflow|empty|off-by|range|nan|divi|index/,
  DEPEND: /depend|import|version|deprecat|require/,
  CONFLICT: /conflict|inconsist|contradict|duplicate|dupe|shadow|redeclare/,
  INTEGRATE: /integrat|interface|contract|compat|argument|signature/,
  ASSUME: /assum|implicit|unsafe|any\b|cast|default/,
  SKIP: /skip|missing|todo|unhandled|unused|ignored|swallow|floating/,
  SHALLOW: /shallow|naming|comment|format|style|readab/,
  SCOPE: /scope|unrelated|global/,
};

/**
 * Uses only the name, never the errors that the findings match: fitting the mapping to the known errors would inflate
 * detection.
 */
export function suggestCategory(name: string, categories: readonly string[]): string | undefined {
  const text = name.toLowerCase();
  return (
    categories.find((one) => one.length >= 4 && text.includes(one.toLowerCase().slice(0, 6))) ??
    categories.find((one) => PARTS[one.toUpperCase()]?.test(text))
  );
}

/** Added to the notes of every result that is affected. */
export function unmappedNotes(unmapped: readonly UnmappedCategory[]): string[] {
  return [...Map.groupBy(unmapped, ({ workflow }) => workflow)].map(([workflow, own]) => {
    const findings = own.reduce((sum, one) => sum + one.findings, 0);
    const few = own.slice(0, 5).map(({ category, findings: n }) => `${category} (${n})`);
    const more = own.length > few.length ? ` and ${own.length - few.length} more` : '';
    const start = own.filter(({ suggested }) => suggested !== undefined).slice(0, 5);
    const mapping = Object.fromEntries(start.map(({ category, suggested }) => [category, suggested]));
    return `${findings} findings of ${workflow} have categories that the ground truth does not know and count as findings without one: ${few.join(', ')}${more}. ${
      start.length === 0
        ? 'A mapping file would give them one.'
        : `A mapping to start from: ${JSON.stringify({ category: mapping })}.`
    }`;
  });
}
