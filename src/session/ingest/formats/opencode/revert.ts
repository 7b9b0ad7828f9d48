import { asObject, asText, type JsonObject } from '../../json/json-fields.ts';

/** What a person took back stays in the store until the next prompt. */
export function revertOf(info: JsonObject | undefined): JsonObject | undefined {
  const revert = asObject(info?.revert);
  const message = asText(revert?.messageID);
  // Within a message: what is left of it stands.
  return message === undefined || asText(revert?.partID) !== undefined ? undefined : { revert: message };
}
