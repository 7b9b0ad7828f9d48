/** A line that is no JSON, as the formats that read such lines get it. */

/** What the log of a job puts before each line. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d)? /;

export function textRecord(line: Buffer): { readonly text: string } {
  return { text: withoutTimestamp(line.toString('utf8')) };
}

export function withoutTimestamp(line: string): string {
  return line.replace(TIMESTAMP, '');
}
