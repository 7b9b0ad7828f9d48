/**
 * Sessions of the Gemini CLI (`~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`; older: one JSON document).
 *
 * `$rewindTo` takes back a message and everything after it. The reader only names that message (`rewindTo`): what was
 * taken back is a branch that was left, and is counted apart like the branches of other formats.
 */

import { asArray, asObject, asText, asTime, type JsonObject } from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { isKnown, partsText, readReply, readUser } from './messages.ts';
import { type GeminiLine, type GeminiState, geminiLine, readHeader, startGemini } from './state.ts';

function step(state: GeminiState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  if (fields.$rewindTo !== undefined) return undefined;
  const update = asObject(fields.$set);
  if (update !== undefined) return readUpdate(state, update, line, emit);
  const place = geminiLine(state, fields, line, timeOf(fields), emit);
  const type = asText(fields.type) ?? asText(fields.role);
  if (type !== undefined) return readMessage(place, type);
  if (!isHeader(fields)) return '(no type)';
  readHeader(place);
  return undefined;
}

function timeOf(fields: JsonObject): number | undefined {
  const seconds = typeof fields.ts === 'number' ? fields.ts * 1000 : undefined;
  return asTime(fields.timestamp) ?? asTime(seconds) ?? asTime(fields.startTime);
}

function readMessage(place: GeminiLine, type: string): string | undefined {
  switch (type) {
    case 'user':
      readUser(place);
      return undefined;
    case 'gemini':
    case 'model':
    case 'assistant':
      readReply(place);
      return undefined;
    case 'info':
      if (!isKnown(place)) readInfo(place);
      return undefined;
    case 'error':
      if (!isKnown(place)) place.send({ kind: 'end', reason: 'error' });
      return undefined;
    case 'warning':
      return undefined;
    default:
      return type;
  }
}

function readInfo(place: GeminiLine): void {
  const text = partsText(place.record.content);
  if (text.startsWith('Request cancelled')) place.send({ kind: 'interrupt' });
  else if (/^(?:Chat history|Context) (?:was )?compressed/i.test(text)) place.send({ kind: 'compaction' });
}

/** An update may carry all messages again. */
function readUpdate(state: GeminiState, update: JsonObject, line: number, emit: Emit): undefined {
  readHeader(geminiLine(state, update, line, undefined, emit));
  for (const message of asArray(update.messages)) {
    const fields = asObject(message);
    const type = asText(fields?.type);
    if (fields !== undefined && type !== undefined) {
      readMessage(geminiLine(state, fields, line, timeOf(fields), emit), type);
    }
  }
  return undefined;
}

function isHeader(fields: JsonObject): boolean {
  return (
    asText(fields.sessionId) !== undefined || asText(fields.projectHash) !== undefined || 'meta' in fields
  );
}

/** The outer fields first, without the messages; then the messages. */
function* elements(document: unknown): Iterable<unknown> {
  const fields = asObject(document);
  if (fields === undefined) return;
  const { messages, history, ...header } = fields;
  if (isHeader(header)) yield header;
  yield* Array.isArray(messages) ? messages : asArray(history);
}

function detect(sample: Sample): boolean {
  return sample.document
    ? sample.records.some((record) => isDocument(asObject(record)))
    : sample.records.some((record) => isLine(asObject(record)));
}

function isDocument(fields: JsonObject | undefined): boolean {
  if (fields === undefined) return false;
  if (isHeaderLine(fields)) return true;
  return Array.isArray(fields.history) && fields.history.some((item) => Array.isArray(asObject(item)?.parts));
}

function isLine(fields: JsonObject | undefined): boolean {
  if (fields === undefined) return false;
  return isHeaderLine(fields) || fields.type === 'gemini' || asText(fields.$rewindTo) !== undefined;
}

function isHeaderLine(fields: JsonObject): boolean {
  return asText(fields.sessionId) !== undefined && asText(fields.projectHash) !== undefined;
}

/** Ids are random, and stay when a session moves from a document to lines. */
function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  return fields?.type === undefined ? undefined : asText(fields.id);
}

function rewindTo(record: unknown): string | undefined {
  return asText(asObject(record)?.$rewindTo);
}

export const geminiAdapter: Adapter<GeminiState> = {
  detect,
  start: startGemini,
  step,
  elements,
  entryKey,
  rewindTo,
};
