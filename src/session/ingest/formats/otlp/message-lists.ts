/** The messages in a value: requests and answers of several APIs, whole or as frameworks write them down. */
import { asObject, asText, type JsonObject, parsed } from '../../json/json-fields.ts';

const MAX_DEPTH = 6;
const MAX_MESSAGES = 5_000;

/** Where a request keeps its messages, an answer its own. */
const LISTS = [
  'messages',
  'contents',
  'input',
  'prompt',
  'output',
  'choices',
  'generations',
  'candidates',
] as const;

/** Undefined: it does not look like messages. */
export function messagesIn(value: unknown, depth = 0): JsonObject[] | undefined {
  const stated = parsed(value);
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(stated)) return messagesOfList(stated, depth);
  const object = asObject(stated);
  if (object === undefined) return undefined;
  const message = unwrapped(object);
  if (isMessage(message)) return [message];
  for (const key of LISTS) {
    const found = Array.isArray(parsed(object[key])) ? messagesIn(object[key], depth + 1) : undefined;
    if (found !== undefined && found.length > 0) return found;
  }
  const asked = asText(object.input) ?? asText(object.prompt);
  if (asked !== undefined && 'model' in object) return [{ role: 'user', content: asked }];
  const inner =
    asObject(object.message) ?? asObject(object.output) ?? asObject(object.input) ?? asObject(object.content);
  if (inner !== undefined) return withFinish(messagesIn(inner, depth + 1), object);
  return asText(object.text) !== undefined || Array.isArray(object.toolCalls)
    ? [{ role: 'assistant', ...object }]
    : undefined;
}

function messagesOfList(list: readonly unknown[], depth: number): JsonObject[] | undefined {
  const found = list.slice(0, MAX_MESSAGES).flatMap((one) => {
    if (Array.isArray(one)) return messagesIn(one, depth + 1) ?? [];
    const object = asObject(one);
    if (object === undefined) return [];
    const message = unwrapped(object);
    return isMessage(message) ? [message] : (messagesIn(object, depth + 1) ?? []);
  });
  return found.length > 0 ? found : undefined;
}

function withFinish(messages: JsonObject[] | undefined, around: JsonObject): JsonObject[] | undefined {
  const finish = around.finish_reason ?? around.finishReason;
  return finish === undefined ? messages : messages?.map((one) => ({ finish_reason: finish, ...one }));
}

const ITEMS = new Set([
  'function_call',
  'function_call_output',
  'function_call_result',
  'human',
  'ai',
  'system',
  'tool',
]);

function isMessage(object: JsonObject): boolean {
  if (asText(object.role) !== undefined) return !Array.isArray(object.choices);
  return (
    ITEMS.has(asText(object.type) ?? '') && ('content' in object || 'call_id' in object || 'callId' in object)
  );
}

const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^Human/, 'user'],
  [/^AI/, 'assistant'],
  [/^System/, 'system'],
  [/^(?:Tool|Function)/, 'tool'],
];

/** Objects that a framework wrote with their class: `{"lc":1,"id":[…,"HumanMessage"],"kwargs":{…}}`. */
function unwrapped(object: JsonObject): JsonObject {
  const fields = asObject(object.kwargs) ?? asObject(object.data);
  const name = Array.isArray(object.id) ? asText(object.id.at(-1)) : asText(object.type);
  if (fields === undefined || name === undefined) return object;
  const role = CLASSES.find(([pattern]) => pattern.test(name))?.[1] ?? asText(fields.role);
  const finish = asObject(fields.response_metadata)?.finish_reason;
  return {
    ...(finish === undefined ? {} : { finish_reason: finish }),
    ...fields,
    ...(role === undefined ? {} : { role }),
  };
}

/** What somebody wrote who filled in a form instead of a message. */
const WORDS = [
  'task',
  'question',
  'query',
  'prompt',
  'input',
  'text',
  'message',
  'content',
  'user_input',
  'request',
  'goal',
];

/** What a run was given to do, in words. Empty: it was given nothing. */
export function requestIn(value: unknown, depth = 0): string {
  const stated = parsed(value);
  if (typeof stated === 'string') return stated;
  if (Array.isArray(stated)) return depth > MAX_DEPTH ? '' : firstText(stated, depth);
  const object = asObject(stated);
  if (object === undefined || depth > MAX_DEPTH) return '';
  const named = firstText(
    WORDS.map((word) => object[word]),
    depth,
  );
  if (named !== '') return named;
  const given = firstText([object.args, object.kwargs, object.inputs], depth);
  // Under a name that nobody knows, words are told from ids and settings by the blanks between them.
  return given !== '' ? given : (Object.values(object).slice(0, 20).find(isSentence) ?? '');
}

function isSentence(value: unknown): value is string {
  return typeof value === 'string' && /\S\s+\S/.test(value);
}

function firstText(values: readonly unknown[], depth: number): string {
  for (const value of values.slice(0, 50)) {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
    const text = requestIn(value, depth + 1);
    if (text.trim() !== '') return text;
  }
  return '';
}
