import { renderCsv } from '../../report/csv.ts';
import type { TableBlock } from '../../report/document.ts';

const COLUMNS = ['session_id', 'rating', 'note', 'author', 'rated_at'].map((key) => ({
  key,
  header: key,
  style: 'text' as const,
}));

export type WrittenRating = {
  readonly subjectId: string;
  /** Absent: looked at, and no rating could be given. */
  readonly rating?: number | undefined;
  readonly note?: string;
  readonly author: string;
  readonly at: string;
};

/** A line of a ratings file, as `--ratings` reads it. */
export function ratingCsv(
  { subjectId, rating, note, author, at }: WrittenRating,
  { header }: { readonly header: boolean },
): string {
  const row = { session_id: subjectId, rating: rating ?? '', note: note ?? '', author, rated_at: at };
  const table: TableBlock = { kind: 'table', title: 'Ratings', columns: COLUMNS, rows: [row] };
  const csv = renderCsv(table);
  return header ? csv : csv.slice(csv.indexOf('\n') + 1);
}
