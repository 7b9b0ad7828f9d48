/**
 * Sessions of OpenCode: rows of its database, the JSON files of its earlier versions, and `opencode export`. All are
 * brought to the shape of the export: the session, then messages with their parts.
 */
import { asArray, asObject, asText, defined, type JsonObject } from '../../json/json-fields.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { readMessage } from './messages.ts';
import { revertOf } from './revert.ts';
import { isOpencodeStore, openOpencodeSessions } from './sqlite.ts';
import { type OpencodeState, startOpencode } from './state.ts';
import { storedMessages } from './stored-files.ts';

function step(state: OpencodeState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  if (asText(fields.revert) !== undefined) return undefined;
  const info = asObject(fields.info);
  if (info === undefined) return '(no info)';
  if (info.role !== undefined) return readMessage(state, info, asArray(fields.parts), line, emit);
  if (!isSessionInfo(info)) return '(no role)';
  readSession(state, info, line, emit);
  return undefined;
}

function readSession(state: OpencodeState, info: JsonObject, line: number, emit: Emit): void {
  const parent = asText(info.parentID);
  state.session = asText(info.id);
  state.subagent = parent !== undefined;
  const model = asObject(info.model);
  const event = {
    kind: 'session',
    agent: 'opencode',
    ...defined({
      sessionId: state.session,
      parentSessionId: parent,
      trigger: parent === undefined ? undefined : ('subagent' as const),
      project: asText(info.directory),
      model: asText(model?.modelID) ?? asText(model?.id),
      provider: asText(model?.providerID),
    }),
  } as const;
  emit(placeEvent(event, { line }), state.session);
}

/** A file of the older stores is the session alone: its messages lie in other folders. */
function* elements(document: unknown, { path }: FileInfo): Iterable<unknown> {
  const fields = asObject(document);
  if (fields === undefined) return;
  const isStored = isSessionInfo(fields);
  const info = isStored ? fields : asObject(fields.info);
  yield { info };
  if (isStored) yield* storedMessages(path, fields);
  else yield* asArray(fields.messages);
  const revert = revertOf(info);
  if (revert !== undefined) yield revert;
}

function isSessionInfo(info: JsonObject): boolean {
  return (
    asText(info.id) !== undefined &&
    asObject(info.time) !== undefined &&
    asText(info.title) !== undefined &&
    asText(info.version) !== undefined &&
    info.role === undefined
  );
}

function detect({ document, records }: Sample): boolean {
  if (!document) return false;
  return records.some((record) => {
    const fields = asObject(record) ?? {};
    const info = asObject(fields.info);
    const isExport = info !== undefined && isSessionInfo(info) && Array.isArray(fields.messages);
    return isExport || isStoredSession(fields);
  });
}

function isStoredSession(fields: JsonObject): boolean {
  const isPlaced = asText(fields.projectID) !== undefined || asText(fields.directory) !== undefined;
  const isOldest = /^ses_/.test(asText(fields.id) ?? '');
  return isSessionInfo(fields) && (isPlaced || isOldest);
}

/** Ids are unique in the world. */
function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  const info = asObject(fields?.info);
  const id = asText(info?.id);
  if (id === undefined) return undefined;
  return `opencode ${info?.role === undefined ? 'session' : 'message'} ${id}`;
}

function rewindTo(record: unknown): string | undefined {
  const message = asText(asObject(record)?.revert);
  return message === undefined ? undefined : `opencode message ${message}`;
}

export const opencodeAdapter: Adapter<OpencodeState> = {
  detect,
  start: startOpencode,
  step,
  elements,
  entryKey,
  rewindTo,
  store: { isStore: isOpencodeStore, sessions: openOpencodeSessions },
};
