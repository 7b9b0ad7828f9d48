/** Whether a transcript marks its session as over, not only as answered. */
import type { SessionFacts } from '../evidence.ts';
import { FORMATS } from '../ingest/formats/formats.ts';

const ENDING: ReadonlySet<string> = new Set(
  FORMATS.filter(({ endsItself }) => endsItself).map(({ name }) => name),
);

export function endsItself({ source, runs }: SessionFacts): boolean {
  const end = runs.at(-1)?.end;
  return ENDING.has(source) && end !== undefined && end !== 'open' && end !== 'unknown';
}
