/** Attributes of spans: OTLP's typed values, or plain objects as other exporters write them, as one flat map. */
import { asArray, asObject, type JsonObject } from '../../json/json-fields.ts';

export type Attributes = ReadonlyMap<string, unknown>;

const MAX_DEPTH = 12;
const MAX_ATTRIBUTES = 20_000;
const MAX_INDEX = 10_000;

export function attributesOf(raw: unknown): Attributes {
  const attributes = new Map<string, unknown>();
  if (Array.isArray(raw)) {
    for (const entry of raw) {
      const pair = asObject(entry);
      if (typeof pair?.key === 'string' && attributes.size < MAX_ATTRIBUTES)
        attributes.set(pair.key, plainValue(pair.value, 0));
    }
    return attributes;
  }
  for (const [key, value] of Object.entries(asObject(raw) ?? {})) flatten(attributes, key, value, 0);
  return attributes;
}

/** Some exporters nest (`{llm: {model_name}}`), some write the dots; after this both read the same. */
function flatten(into: Map<string, unknown>, key: string, value: unknown, depth: number): void {
  if (into.size >= MAX_ATTRIBUTES) return;
  into.set(key, value);
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return;
  for (const [inner, innerValue] of Object.entries(value))
    flatten(into, `${key}.${inner}`, innerValue, depth + 1);
}

/** OTLP wraps each value in its type: `{intValue: "7"}`. A value without such a wrapper is taken as it is. */
export function plainValue(value: unknown, depth = 0): unknown {
  const wrapped = asObject(value);
  if (wrapped === undefined || depth > MAX_DEPTH) return depth > MAX_DEPTH ? undefined : value;
  const [type, inner] = Object.entries(wrapped)[0] ?? [];
  switch (type) {
    case 'stringValue':
    case 'string_value':
    case 'doubleValue':
    case 'double_value':
    case 'boolValue':
    case 'bool_value':
      return inner;
    case 'intValue':
    case 'int_value':
      return integer(inner);
    case 'arrayValue':
    case 'array_value':
      return asArray(asObject(inner)?.values).map((one) => plainValue(one, depth + 1));
    case 'kvlistValue':
    case 'kvlist_value':
      return plainPairs(inner, depth);
    default:
      // Bytes, and a value that is not set.
      return type === undefined || /^bytes_?value$/i.test(type) ? undefined : value;
  }
}

function integer(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? Number(value) : value;
}

function plainPairs(value: unknown, depth: number): JsonObject {
  const pairs = asArray(asObject(value)?.values).map(asObject);
  return Object.fromEntries(
    pairs.flatMap((pair) =>
      typeof pair?.key === 'string' ? [[pair.key, plainValue(pair.value, depth + 1)] as const] : [],
    ),
  );
}

/** The first of several names under which the same thing is known. */
export function firstOf(attributes: Attributes, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = attributes.get(name);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** `prefix.0.role`, `prefix.0.content`, `prefix.1.role` → a list of maps, in order of their number. */
export function indexed(attributes: Attributes, prefix: string): Attributes[] {
  const list = new Map<number, Map<string, unknown>>();
  for (const [key, value] of attributes) {
    if (!key.startsWith(`${prefix}.`)) continue;
    const rest = key.slice(prefix.length + 1);
    const dot = rest.indexOf('.');
    const index = dot < 0 ? Number.NaN : Number(rest.slice(0, dot));
    if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) continue;
    const entry = list.get(index) ?? new Map<string, unknown>();
    entry.set(rest.slice(dot + 1), value);
    list.set(index, entry);
  }
  return [...list].sort(([a], [b]) => a - b).map(([, entry]) => entry);
}
