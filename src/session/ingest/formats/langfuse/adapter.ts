/**
 * Observations of Langfuse come in any order and tell of a trace only together, so that they are told at the end, by time. A
 * session is what Langfuse calls one; traces that are of none are a session each. Events point at the observation in its file.
 */
import {
  asArray,
  asId,
  asObject,
  asObjects,
  asText,
  type JsonObject,
  sampled,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { field, isObservation, type Observation, readObservation, type TraceHead } from './observation.ts';
import { tellSession } from './tell-session.ts';

type LangfuseState = { readonly rows: Observation[] };

/** What a document is stepped through as. */
type Element = { readonly head: TraceHead; readonly row: unknown };

/** Their words are held until the end. */
const MOST_ROWS = 200_000;

export const langfuseAdapter: Adapter<LangfuseState> = {
  detect: ({ records, document }: Sample) =>
    document ? isExport(records[0]) : sampled(records, false).some(isObservation),
  start: () => ({ rows: [] }),
  step: ({ rows }, record, line) => {
    const { head, row } = elementOf(record);
    const observation = asObject(row);
    if (observation === undefined || !isObservation(observation))
      return `type ${asText(observation?.type) ?? ''}`;
    if (rows.length >= MOST_ROWS) return `observation ${MOST_ROWS + 1} and later`;
    rows.push(readObservation(observation, head, line));
    return undefined;
  },
  // What was said is in the state.
  finish: ({ rows }, _line, emit) => tellAll(rows, emit),
  elements: (document) => elementsOf(document),
  entryKey: (record) => asText(asObject(elementOf(record).row)?.id),
};

/** A line is an observation by itself. */
function elementOf(record: unknown): Element {
  const fields = asObject(record);
  const head = asObject(fields?.head);
  return head !== undefined && 'row' in (fields ?? {})
    ? { head, row: fields?.row }
    : { head: {}, row: record };
}

function isExport(document: unknown): boolean {
  return rowsOf(document).some(({ row }) => isObservation(asObject(row)));
}

function* elementsOf(document: unknown): Generator<Element> {
  yield* rowsOf(document);
}

/** A list, a page of the API, a trace with its observations, or traces with theirs. */
function rowsOf(document: unknown): Element[] {
  if (Array.isArray(document)) return document.flatMap((one) => within(asObject(one)));
  const fields = asObject(document);
  if (fields === undefined) return [];
  if (Array.isArray(fields.data)) return fields.data.flatMap((one) => within(asObject(one)));
  if (Array.isArray(fields.traces)) return asObjects(fields.traces).flatMap(within);
  return within(fields);
}

function within(one: JsonObject | undefined): Element[] {
  if (one === undefined) return [];
  const observations = asArray(one.observations);
  if (observations.length === 0) return [{ head: {}, row: one }];
  const trace = asObject(one.trace) ?? one;
  const head = headOf(trace);
  return observations.map((row) => ({ head, row }));
}

function headOf(trace: JsonObject): TraceHead {
  const [session, traceName] = [asId(field(trace, 'sessionId')), asText(trace.name)];
  return { session, traceName };
}

/** The name of a session; what has none goes by its trace, so that scores find the way back. */
export function langfuseSessionId(session: string | undefined, trace: string): string {
  return session ?? `trace:${trace}`;
}

function tellAll(rows: readonly Observation[], emit: Emit): void {
  // A trace may name its session on some of its observations only.
  const named = new Map<string, string>();
  for (const { trace, session } of rows) if (session !== undefined) named.set(trace, session);
  const once = new Map(rows.map((row) => [`${row.trace} ${row.id}`, row]));
  const sessions = Map.groupBy(once.values(), ({ trace }) => langfuseSessionId(named.get(trace), trace));
  for (const [sessionId, own] of sessions) tellSession(sessionId, own, emit);
}
