/**
 * Events that agents log of themselves → those of a session. They come in order, batch by batch. Requests that failed are
 * tried again: only one that never got through is told.
 */
import { asObject, sampled } from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import type { Adapter, Emit } from '../format.ts';
import { rawSpans } from '../otlp/span.ts';
import { placeEvent } from '../place-event.ts';
import { holdsLogged, type LoggedEvent, loggedEvents } from './logged-event.ts';
import { readLogged } from './read-logged.ts';
import { type LoggedSession, type LogState, newLoggedSession } from './state.ts';

const KEPT_SESSIONS = 500;

export const otlpLogsAdapter: Adapter<LogState> = {
  detect: ({ records, document }) => sampled(records, document).some((one) => holdsLogged(one, false)),
  start: () => ({ sessions: new Map() }),
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
  finish: ({ sessions }, line, emit) => {
    for (const [session, { failed }] of sessions)
      if (failed) emit(placeEvent({ kind: 'end', reason: 'error' }, { line }), session);
  },
};

function sessionName({ agent, session }: LoggedEvent): string {
  return `otlp-logs ${agent} ${session}`;
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
  const known = sessions.get(id) ?? newLoggedSession();
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
