/** What is remembered between the records of a Gemini CLI session. */
import type { UnplacedEvent } from '../../../event.ts';
import { asArray, asObject, asText, type JsonObject } from '../../json/json-fields.ts';
import { type BoundedMap, newBoundedMap } from '../bounded-map.ts';
import type { Emit, FileInfo } from '../format.ts';
import { placeEvent } from '../place-event.ts';

/** A tool call: seen, or its end seen, too. */
export type CallStage = 1 | 2;

export type GeminiState = {
  session: string | undefined;
  /** Folder that holds the files of a sub-agent: the session it serves. */
  folder: string | undefined;
  subagent: boolean;
  /** Messages by id, with how much of their text was told: a message is written again when it grows. */
  messages: BoundedMap<number>;
  calls: BoundedMap<CallStage>;
};

export function startGemini(file: FileInfo): GeminiState {
  return {
    session: undefined,
    folder: /[\\/]chats[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(file.path)?.[1],
    subagent: false,
    messages: newBoundedMap(),
    calls: newBoundedMap(),
  };
}

/** A message with its place: everything the readers of single kinds need. */
export type GeminiLine = {
  readonly state: GeminiState;
  readonly record: JsonObject;
  readonly line: number;
  readonly send: (event: UnplacedEvent) => void;
};

export function geminiLine(
  state: GeminiState,
  record: JsonObject,
  line: number,
  at: number | undefined,
  emit: Emit,
): GeminiLine {
  const send = (event: UnplacedEvent): void => emit(placeEvent(event, { line, at }), state.session);
  return { state, record, line, send };
}

/** The header, or an update of it (`$set`), or the outer fields of a document. */
export function readHeader(place: GeminiLine): void {
  const { state, record } = place;
  const id = asText(record.sessionId);
  const model = asText(asObject(record.meta)?.model);
  const isChild = record.kind === 'subagent' && !state.subagent;
  if (record.kind === 'subagent') state.subagent = true;
  if (id !== undefined && id !== state.session) state.session = id;
  else if (!isChild && model === undefined) return;
  const parent = state.subagent ? state.folder : undefined;
  const project = asText(asArray(record.directories)[0]) ?? asText(record.projectHash);
  place.send({
    kind: 'session',
    agent: 'gemini-cli',
    ...(state.session && { sessionId: state.session }),
    ...(model && { model }),
    ...(state.subagent && { trigger: 'subagent' as const }),
    ...(parent && { parentSessionId: parent }),
    ...(project !== undefined && { project }),
  });
}
