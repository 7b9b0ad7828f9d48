/**
 * Streams of agents inside of a file that no format knows: in a text field, as a list of events, or the last object of a
 * run alone. The file is JSON, or has such a record on every line.
 */
import type { LoadedFormat } from '../formats/format.ts';
import { detectFormat } from '../formats/load-formats.ts';
import { withJoinedObjects } from '../json/joined-objects.ts';
import { asId, asObject, asObjects, asText } from '../json/json-fields.ts';
import { textRecord } from '../json/text-record.ts';

const MAX_DEPTH = 8;
const MAX_LOOKS = 20_000;
const LOOKED_AT_RECORDS = 20;
const MAX_ID = 200;
const LOOKED_AT_LINES = 50;

/** As lines. `plain`: they are no JSON. `place`: what tells it from others in the file, the id of its record or the way to it. */
export type Within = {
  readonly lines: string;
  readonly plain: boolean;
  readonly place: string;
  readonly id?: string | undefined;
};

export function transcriptsWithin(bytes: Buffer, path: string, formats: readonly LoadedFormat[]): Within[] {
  const found: Within[] = [];
  const texts = formats.filter(({ readsText }) => readsText);
  const waiting = documentsOf(bytes.toString('utf8')).map((value, index) => ({
    value,
    depth: 0,
    place: placeOf(value, { way: String(index + 1) }),
  }));
  const known = (records: readonly unknown[], among: readonly LoadedFormat[]): boolean =>
    records.length > 0 && detectFormat({ records, document: false, path }, among) !== undefined;
  const streams = formats.filter(
    ({ printed, places, printsWhatItKeeps }) =>
      printsWhatItKeeps || (printed === true && places === undefined),
  );
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    // Taking them off the front of a long list would move all the others each time.
    const next = waiting[looks];
    if (next === undefined) break;
    const { value, depth } = next;
    const place = next.place.id ?? next.place.way;
    if (typeof value === 'string') {
      const text = value.includes('{\n') || value.includes('{\r\n') ? withJoinedObjects(value) : value;
      if (known(recordsOf(text), formats))
        found.push({ lines: text, plain: false, place, id: next.place.id });
      else if (known(textsOf(text), texts))
        found.push({ lines: text, plain: true, place, id: next.place.id });
      continue;
    }
    // Below a field only what was printed: anything else would take parts of other documents for its own.
    const records = Array.isArray(value) ? asObjects(value.slice(0, LOOKED_AT_RECORDS)) : asObjects([value]);
    if (known(records, streams))
      found.push({ lines: linesOf(value), plain: false, place, id: next.place.id });
    else if (depth < MAX_DEPTH && typeof value === 'object' && value !== null)
      for (const [key, field] of Object.entries(value))
        if (waiting.length < MAX_LOOKS && isWorth(field))
          waiting.push({ value: field, depth: depth + 1, place: placeOf(field, next.place, key) });
  }
  return found;
}

/** The way to a value, and the id of the record it stands in. */
type Place = { readonly way: string; readonly id?: string | undefined };

/** What benchmarks call a run by. Others are the ids of anything: the outermost of them is the run's. */
const RUN_IDS = ['trial_name', 'instance_id', 'task_id', 'task_name'];
const OTHER_IDS = ['id', 'name', 'task'];

function placeOf(value: unknown, above: Place, key?: string): Place {
  const way = key === undefined ? above.way : `${above.way}.${key}`;
  return { way, id: idIn(value, RUN_IDS) ?? above.id ?? idIn(value, OTHER_IDS) };
}

function idIn(value: unknown, keys: readonly string[]): string | undefined {
  const fields = asObject(value) ?? {};
  return keys.map((key) => asId(fields[key])).find((id) => id !== undefined && id.length <= MAX_ID);
}

function isWorth(value: unknown): boolean {
  return typeof value === 'string' ? value.includes('\n') || value.includes('{') : typeof value === 'object';
}

function documentsOf(text: string): unknown[] {
  const whole = parse(text);
  if (whole !== undefined) return [whole];
  const lines = text.split('\n').flatMap((line) => parse(line) ?? []);
  const printed = containerLog(lines);
  return printed === undefined ? lines : [printed];
}

/** What Docker keeps of a program: a record for each line that it printed, and several for a long one. */
function containerLog(lines: readonly unknown[]): string | undefined {
  const records = asObjects(lines).filter(({ stream }) => stream === 'stdout' || stream === 'stderr');
  if (records.length === 0 || records.length < lines.length) return undefined;
  // What goes to the other stream must not come between the parts of a line.
  const of = (name: string) => records.map(({ stream, log }) => (stream === name ? (asText(log) ?? '') : ''));
  return [...of('stdout'), '\n', ...of('stderr')].join('');
}

/** The first records of a text of lines, whatever else stands between them. */
function recordsOf(text: string): unknown[] {
  const records: unknown[] = [];
  for (const line of text.split('\n')) {
    const start = line.indexOf('{');
    const record = start < 0 ? undefined : asObject(parse(line.slice(start, line.lastIndexOf('}') + 1)));
    if (record !== undefined) records.push(record);
    if (records.length >= LOOKED_AT_RECORDS) break;
  }
  return records;
}

function textsOf(text: string): unknown[] {
  return text
    .split('\n', LOOKED_AT_LINES)
    .map((line) => textRecord(Buffer.from(line)))
    .filter(({ text: line }) => line !== '');
}

function linesOf(value: unknown): string {
  return (Array.isArray(value) ? value : [value]).map((one) => JSON.stringify(one)).join('\n');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
