/**
 * Sessions of Cursor out of its databases: a record that is the session, then its messages. The editor keeps bubbles, the
 * CLI messages in the words of an SDK. The CLI writes neither tokens nor ends, and messages of branches that were left
 * stay in its store and count.
 */
import type { UnplacedEvent } from '../../../event.ts';
import { asObject } from '../../json/json-fields.ts';
import type { Adapter, Emit, StoreSession } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { readBubble, readComposer } from './bubbles.ts';
import { readChat, readChatMessage } from './chat.ts';
import { chatSessions, isChatStore } from './chat-store.ts';
import { editorSessions, isEditorStore } from './editor-store.ts';

export type CursorState = { session: string | undefined; model: string | undefined; subagent: boolean };

export type CursorLine = {
  readonly state: CursorState;
  readonly line: number;
  readonly send: (event: UnplacedEvent, at?: number) => void;
};

function step(state: CursorState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record) ?? {};
  const send = (event: UnplacedEvent, at?: number): void =>
    emit(placeEvent(event, { line, at }), state.session);
  const place: CursorLine = { state, line, send };
  for (const [field, reader] of READERS) {
    const value = asObject(fields[field]);
    if (value !== undefined) return reader(place, value);
  }
  return '(not known)';
}

const READERS = [
  ['composer', readComposer],
  ['bubble', readBubble],
  ['chat', readChat],
  ['message', readChatMessage],
] as const;

function sessions(path: string, problem: (what: 'row' | 'store') => void): Iterable<StoreSession> {
  return isChatStore(path) ? chatSessions(path, problem) : editorSessions(path, problem);
}

export const cursorAdapter: Adapter<CursorState> = {
  // Nothing but its databases is in this format.
  detect: () => false,
  start: () => ({ session: undefined, model: undefined, subagent: false }),
  step,
  store: { isStore: (path) => isChatStore(path) || isEditorStore(path), sessions },
};
