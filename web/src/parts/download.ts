/** Tables as files. */
import { textField } from '../../../src/report/csv.ts';

export type Exported = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** RFC 4180; what a spreadsheet would run is kept a text, unmeasured is an empty field. */
export function csvOf(keys: readonly string[], rows: readonly Exported[]): string {
  const lines = [
    keys.map((key) => field(textField(key))),
    ...rows.map((row) => keys.map((key) => cell(row[key]))),
  ];
  return lines.map((fields) => `${fields.join(',')}\r\n`).join('');
}

function cell(value: Exported[string]): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return field(textField(String(value)));
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
