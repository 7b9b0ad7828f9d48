/**
 * Events that agents log of themselves → those of a session. They come in order, batch by batch. Requests that failed are
 * tried again: only one that never got through is told.
 */
import { hashKey } from '../../copies/entry-keys.ts';
import { asObject, sampled } from '../../json/json-fields.ts';
import { entriesOf, newBoundedMap, recall, remember } from '../bounded-map.ts';
import type { Adapter, Emit } from '../format.ts';
import { type ReadTogether, readJointly } from '../joint-reading.ts';
import { rawSpans } from '../otlp/span.ts';
import { weightOf } from '../otlp/waiting.ts';
import { placeEvent } from '../place-event.ts';
import { byTime, holdsLogged, type LoggedEvent, loggedEvents } from './logged-event.ts';
import { readLogged } from './read-logged.ts';
import { type LoggedSession, type LogState, newLoggedSession } from './state.ts';

const KEPT_SESSIONS = 500;

export const otlpLogsAdapter: Adapter<LogState> = {
  detect: ({ records, document }) => sampled(records, document).some((one) => holdsLogged(one, false)),
  start: () => ({ sessions: newBoundedMap() }),
  elements: (document) => groupsOf(document),
  step: (state, record, line, emit) => {
    const events = loggedEvents(record);
    if (rawSpans(record) !== undefined) state.sawSpans = true;
    if (events === undefined) return state.sawSpans ? undefined : unknownRecord(record);
    const unknown = events.map((event) => take(state, event, line, emit));
    return unknown.find((name) => name !== undefined);
  },
  alongside: ({ sawSpans }) => (sawSpans === true ? ['otlp'] : []),
  entryKeys: (record) => new Set((loggedEvents(record) ?? []).map(sessionName)),
  weighCopies: (format) => readJointly(format, joinableEvents),
  finish: ({ sessions }, line, emit) => {
    for (const [session, { failed }] of entriesOf(sessions))
      if (failed) emit(placeEvent({ kind: 'end', reason: 'error' }, { line }), session);
  },
};

/** A session whose events are in several files: in the order in which they happened, copies once. */
const joinableEvents: ReadTogether<LoggedEvent> = {
  itemsOf: (record, line) =>
    (loggedEvents(record) ?? []).map((event) => ({
      line,
      value: event,
      keys: [sessionName(event)],
      at: event.at,
      weight: weightOf([...event.attributes], 0),
      leads: true,
    })),
  feed: (state, placed, emit) => {
    const inOrder = placed.toSorted(([, a], [, b]) => byTime(a, b));
    for (const [line, event] of inOrder) take(state as LogState, event, line, emit);
  },
  elsewhere: (own, others) => {
    const told = new Set(own.map(([, event]) => identityOf(event)));
    return others.flat().filter(([, event]) => {
      const identity = identityOf(event);
      const isNew = !told.has(identity);
      told.add(identity);
      return isNew;
    });
  },
};

function sessionName({ agent, session }: LoggedEvent): string {
  return `otlp-logs ${agent} ${session}`;
}

function identityOf(event: LoggedEvent): number {
  return hashKey(JSON.stringify([event.session, event.name, event.at, [...event.attributes]]));
}

function take(state: LogState, event: LoggedEvent, line: number, emit: Emit): string | undefined {
  const memory = sessionOf(state, event.session);
  const send = (one: Parameters<typeof placeEvent>[0], at = event.at) =>
    emit(placeEvent(one, { line, at }), event.session);
  if (!memory.announced) send({ kind: 'session', sessionId: event.session, agent: event.agent });
  memory.announced = true;
  return readLogged(event, memory, send);
}

function sessionOf({ sessions }: LogState, id: string): LoggedSession {
  const known = recall(sessions, id) ?? newLoggedSession();
  remember(sessions, id, known, KEPT_SESSIONS);
  return known;
}

/** The groups of a document, each as a document of its own. */
function groupsOf(document: unknown): unknown[] {
  if (Array.isArray(document)) return document;
  const groups = asObject(document)?.resourceLogs ?? asObject(document)?.resource_logs;
  return Array.isArray(groups) ? groups.map((group: unknown) => ({ resourceLogs: [group] })) : [document];
}

/** Metrics and spans travel in the same files. */
function unknownRecord(record: unknown): string {
  const keys = Object.keys(asObject(record) ?? {});
  return keys.find((key) => /^resource/i.test(key)) ?? 'record';
}
