import type { SuggestedMapping } from '../../workflow/suggest-mapping.ts';
import { writeNewFile } from '../write-new-file.ts';
import { type ReviewInputs, readReviews } from './read-reviews.ts';

export type SuggestMappingRequest = {
  readonly inputs: ReviewInputs;
  /** The mapping file to write, as YAML. */
  readonly out?: string;
};

/** Writes a mapping to correct: the categories that no ground truth contains, with suggestions by name. */
export function suggestMapping({ inputs, out }: SuggestMappingRequest): SuggestedMapping {
  const { unmapped } = readReviews(inputs);
  const all = [...Map.groupBy(unmapped, ({ category }) => category)].map(([category, own]) => ({
    category,
    findings: own.reduce((sum, { findings }) => sum + findings, 0),
    suggested: own.find(({ suggested }) => suggested !== undefined)?.suggested,
  }));
  const sorted = all.sort((a, b) => b.findings - a.findings || (a.category < b.category ? -1 : 1));
  if (out !== undefined) writeNewFile(out, mappingFile(sorted));
  return { unmapped: sorted, ...(out !== undefined && { path: out }) };
}

/** A category without a suggestion is written as a comment. */
function mappingFile(unmapped: SuggestedMapping['unmapped']): string {
  const lines = unmapped.map(({ category, findings, suggested }) => {
    const line = `${JSON.stringify(category)}: ${suggested ?? ''}`.trimEnd();
    return `  ${suggested === undefined ? '# ' : ''}${line} # findings: ${findings}`;
  });
  const entries = unmapped.some(({ suggested }) => suggested !== undefined) ? 'category:' : 'category: {}';
  return [
    '# Categories of other tools and those of the ground truth. The suggestions come from the names alone: correct them.',
    '# A category that is not here counts as none.',
    entries,
    ...lines,
    '',
  ].join('\n');
}
