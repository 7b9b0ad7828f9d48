/** Our CSV output puts an apostrophe before text that starts like a formula, so that spreadsheets do not run it. */
const GUARDED = /^'+[=+\-@\u2409\u240a\u240d＝＋－＠]/;

/** The original text of a field, without the apostrophe. */
export function withoutGuard(field: string): string {
  return GUARDED.test(field) ? field.slice(1) : field;
}
