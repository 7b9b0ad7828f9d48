/**
 * Sessions of OpenCode: rows of its database, the JSON files of its earlier versions, and `opencode export`. All are
 * brought to the shape of the export: the session, then messages with their parts.
 */
import { asArray, asObject, asText, type JsonObject } from '../../json/json-fields.ts';
import { type ChatState, chatAdapter, childOf, documentIs, type Line } from '../chat.ts';
import { isDatabaseWith } from '../database-sessions.ts';
import { readParts } from './messages.ts';
import { openOpencodeSessions } from './sqlite.ts';
import { storedMessages } from './stored-files.ts';

export type OpencodeState = ChatState & {
  /** A compaction was announced, and its summary is pending. */
  compacting?: boolean;
};

export const opencodeAdapter = chatAdapter<OpencodeState>({
  detect: documentIs((document) => {
    const info = asObject(document.info);
    const isExport = info !== undefined && isSessionInfo(info) && Array.isArray(document.messages);
    return isExport || isStoredSession(document);
  }),
  // A file of the older stores is the session alone: its messages are in other folders.
  elements: function* (document, { path }) {
    const isStored = isSessionInfo(document);
    const info = isStored ? document : asObject(document.info);
    yield { info };
    if (isStored) yield* storedMessages(path, document);
    else yield* asArray(document.messages);
    yield* revertOf(info);
  },
  times: ({ info }) => {
    const { role, time } = asObject(info) ?? {};
    return role === undefined ? [] : [asObject(time)?.created];
  },
  kind: ({ revert, info }) => {
    if (asText(revert) !== undefined) return 'revert';
    const about = asObject(info);
    if (about === undefined) return '(no info)';
    return about.role === undefined && isSessionInfo(about) ? 'session' : (asText(about.role) ?? '(no role)');
  },
  ignored: 'revert',
  readers: { session: readSession, user: readParts, assistant: readParts },
  // Ids are unique in the world.
  entryKey: (record) => {
    const info = asObject(asObject(record)?.info);
    const id = asText(info?.id);
    return id && `opencode ${info?.role === undefined ? 'session' : 'message'} ${id}`;
  },
  rewindTo: (record) => {
    const message = asText(asObject(record)?.revert);
    return message && `opencode message ${message}`;
  },
  store: {
    isStore: (path) =>
      isDatabaseWith(path, {
        session: ['id'],
        message: ['id', 'session_id', 'data'],
        part: ['message_id', 'data'],
      }),
    sessions: openOpencodeSessions,
  },
});

function readSession({ state, record, send }: Line<OpencodeState>): void {
  const info = asObject(record.info) ?? {};
  const parent = asText(info.parentID);
  state.session = asText(info.id);
  state.subagent = parent !== undefined;
  const model = asObject(info.model);
  send({
    kind: 'session',
    agent: 'opencode',
    sessionId: state.session,
    ...childOf(parent),
    project: asText(info.directory),
    model: asText(model?.modelID) ?? asText(model?.id),
    provider: asText(model?.providerID),
  });
}

function isSessionInfo({ id, time, title, version, role }: JsonObject): boolean {
  const isNamed = [id, title, version].every((one) => asText(one) !== undefined);
  return isNamed && asObject(time) !== undefined && role === undefined;
}

function isStoredSession(info: JsonObject): boolean {
  const isPlaced = asText(info.projectID) !== undefined || asText(info.directory) !== undefined;
  return isSessionInfo(info) && (isPlaced || /^ses_/.test(asText(info.id) ?? ''));
}

/** A reverted message stays in the store until the next prompt. A partly reverted one has the rest. */
export function* revertOf(info: JsonObject | undefined): Generator<JsonObject> {
  const revert = asObject(info?.revert);
  const message = asText(revert?.messageID);
  if (message !== undefined && asText(revert?.partID) === undefined) yield { revert: message };
}
