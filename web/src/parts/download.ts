/** Tables as files. */
import { csvLine } from '../../../src/report/csv.ts';

export type Exported = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** RFC 4180; text that a spreadsheet would run as a formula is escaped, unmeasured is an empty field. */
export function csvOf(keys: readonly string[], rows: readonly Exported[]): string {
  return [csvLine(keys), ...rows.map((row) => csvLine(keys.map((key) => row[key])))].join('');
}

export function download(name: string, type: string, text: string): void {
  saveAs(name, new Blob([text], { type }));
}

export function saveAs(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
