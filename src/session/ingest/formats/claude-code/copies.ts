/**
 * Messages of Claude Code in several files. A resumed session begins with a copy of another one's lines, sub-agents
 * replay what their parent said, backups repeat everything.
 */
import { asObject, asText, type JsonObject } from '../../json/json-fields.ts';

/** Makes keys longer than those that are unique within their session only. */
const PREFIX = 'claude-code message ';

/** The message of a line whose tokens may count, if it has an identity. */
export function messageOf(record: JsonObject): JsonObject | undefined {
  const message = asObject(record.message);
  if (record.type !== 'assistant' || message === undefined || message.model === '<synthetic>')
    return undefined;
  return asText(message.id) === undefined || asObject(message.usage) === undefined ? undefined : message;
}

/** Of a message its id, which copies keep; of any other line its `uuid`, which most copies keep. */
export function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return undefined;
  const message = messageOf(fields);
  return message === undefined ? asText(fields.uuid) : `${PREFIX}${message.id}`;
}

/** What a person or the model said: never passed over, and copies keep its key. */
export function originKey(record: unknown): string | undefined {
  const type = asObject(record)?.type;
  return type === 'user' || type === 'assistant' ? entryKey(record) : undefined;
}
