import { categoryHeatmap, type MappedCategories } from '../../workflow/reports/category-heatmap.ts';
import { type ReviewInputs, readReviews } from './read-reviews.ts';

export type CategoriesRequest = { readonly inputs: ReviewInputs; readonly workflow?: string };

/** Which error categories each workflow finds, and its blind spots. */
export function mapCategories({ inputs, workflow }: CategoriesRequest): MappedCategories {
  const { arms, mappings, notes } = readReviews(inputs, workflow);
  return { heatmap: categoryHeatmap(arms.flatMap(({ runs }) => runs)), mappings, notes };
}
