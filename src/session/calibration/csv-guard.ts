/** A text that starts like a formula, as CSV of ours writes it: an apostrophe before it keeps spreadsheets from running it. */
const GUARDED = /^'+[=+\-@\u2409\u240a\u240d＝＋－＠]/;

/** The text that was written as this field. */
export function withoutGuard(field: string): string {
  return GUARDED.test(field) ? field.slice(1) : field;
}
