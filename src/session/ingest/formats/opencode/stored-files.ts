/**
 * JSON files of OpenCode before its database. `<storage>/session/<project>/<id>.json` is the session,
 * `<storage>/message/<session>/<id>.json` are its messages, `<storage>/part/<message>/<id>.json` their parts. The oldest
 * have all three under `<storage>/session/`: `info/<id>.json`, `message/<session>/`, `part/<session>/<message>/`.
 */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readJson } from '../../files/read-json.ts';
import { asObject, asText, type JsonObject } from '../../json/json-fields.ts';

export type StoredMessage = {
  /** Undefined when its file cannot be read. */
  readonly info: JsonObject | undefined;
  readonly parts: readonly JsonObject[];
};

/** A part holds the output of a tool; nothing sound is larger. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Only files of the last messages still change. */
const LAST_MESSAGES = 2;

/** In the order of their ids, which is chronological. */
export function* storedMessages(path: string, info: JsonObject): Generator<StoredMessage> {
  const folders = foldersOf(path, asText(info.id));
  if (folders === undefined) return;
  const files = filesIn(folders.messages);
  const flat = files.every((file) => !isFolder(partFolder(folders, nameOf(file))))
    ? flatParts(folders.parts)
    : new Map<string, JsonObject[]>();
  for (const file of files) {
    const message = readObject(join(folders.messages, file));
    const id = asText(message?.id) ?? nameOf(file);
    const parts = filesIn(partFolder(folders, id)).map((part) =>
      readObject(join(partFolder(folders, id), part)),
    );
    yield {
      info: message && { ...message, id },
      parts: [...parts.filter((part) => part !== undefined), ...(flat.get(id) ?? [])],
    };
  }
}

/** What must be looked at to see whether a session changed. Empty for other files. */
export function companionFiles(path: string): string[] {
  const folders = foldersOf(path, nameOf(basename(path)));
  if (folders === undefined) return [];
  const last = filesIn(folders.messages).slice(-LAST_MESSAGES);
  return [
    folders.messages,
    ...last.flatMap((file) => {
      const parts = partFolder(folders, nameOf(file));
      return [join(folders.messages, file), parts, ...filesIn(parts).map((part) => join(parts, part))];
    }),
  ];
}

type Folders = {
  readonly messages: string;
  readonly parts: string;
  /** In the oldest stores parts are below their session. */
  readonly session: string | undefined;
};

function foldersOf(path: string, id: string | undefined): Folders | undefined {
  const sessions = dirname(dirname(path));
  if (basename(sessions) !== 'session' || !path.endsWith('.json') || !isName(id)) return undefined;
  if (basename(dirname(path)) === 'info')
    return { messages: join(sessions, 'message', id), parts: join(sessions, 'part'), session: id };
  const storage = dirname(sessions);
  return { messages: join(storage, 'message', id), parts: join(storage, 'part'), session: undefined };
}

function partFolder({ parts, session }: Folders, message: string): string {
  const name = isName(message) ? message : '-';
  return session === undefined ? join(parts, name) : join(parts, session, name);
}

/** An id becomes part of a path: it must not lead anywhere else. */
function isName(id: string | undefined): id is string {
  return id !== undefined && /^[\w-]{1,200}$/.test(id);
}

function nameOf(file: string): string {
  return file.replace(/\.json$/, '');
}

/** Early versions put the parts of all messages into one folder. */
function flatParts(folder: string): Map<string, JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  for (const file of filesIn(folder)) {
    const part = readObject(join(folder, file));
    const message = asText(part?.messageID);
    if (part !== undefined && message !== undefined)
      found.set(message, [...(found.get(message) ?? []), part]);
  }
  return found;
}

/** Links are not followed. */
function filesIn(folder: string): string[] {
  if (!isFolder(folder)) return [];
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ name }) => name)
    .sort();
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readObject(path: string): JsonObject | undefined {
  return asObject(readJson(path, MAX_FILE_BYTES));
}
