import { renderCsv, textField } from '../../report/csv.ts';
import type { TableBlock } from '../../report/view.ts';
import { withoutGuard } from '../calibration/csv-guard.ts';

const COLUMNS = ['session_id', 'rating', 'note', 'author', 'rated_at', 'session_key'] as const;
/** What files had before sessions had keys. */
const WITHOUT_KEY = COLUMNS.slice(0, -1);

type WrittenRating = {
  readonly subjectId: string;
  /** Absent: looked at, and no rating could be given. */
  readonly rating?: number | undefined;
  readonly note?: string;
  readonly author: string;
  readonly at: string;
  readonly sessionKey?: string | undefined;
};

/** A line of a ratings file, as `--ratings` reads it; behind a header, with the columns that it names. */
export function ratingCsv(
  { subjectId, rating, note, author, at, sessionKey }: WrittenRating,
  header?: string,
): string {
  const hasKey = header === undefined || /(^|,)\s*"?session_key/i.test(header);
  // Without a column of its own the key stands for an id that would come back as another one.
  const id = hasKey || idFromCsv(subjectId) === subjectId ? subjectId : (sessionKey ?? subjectId);
  const row = {
    session_id: id,
    rating: rating ?? '',
    note: note ?? '',
    author,
    rated_at: at,
    session_key: sessionKey ?? '',
  };
  const columns = (hasKey ? COLUMNS : WITHOUT_KEY).map((key) => ({
    key,
    title: key,
    unit: 'text' as const,
  }));
  const table: TableBlock = { kind: 'table', title: 'Ratings', columns, rows: [row] };
  const csv = renderCsv(table);
  return header === undefined ? csv : csv.slice(csv.indexOf('\n') + 1);
}

/** An id as it comes back from a CSV of ours: signs where it has control characters, and without outer blanks. */
function idFromCsv(id: string): string {
  return withoutGuard(textField(id).trim());
}

/** What a file of people may call a session. */
export function namesInFiles(key: string, id: string): ReadonlySet<string> {
  return new Set([key, id, id.trim(), idFromCsv(id)]);
}
