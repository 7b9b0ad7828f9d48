/** Attributes of spans: OTLP's typed values, or plain objects as other exporters write them, as one flat map. */
import { asArray, asObject, asObjects, type JsonObject } from '../../json/json-fields.ts';

export type Attributes = ReadonlyMap<string, unknown>;

const MAX_DEPTH = 12;
const MAX_ATTRIBUTES = 20_000;

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

/** The first of several names of the same attribute. */
export function firstOf(attributes: Attributes, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = attributes.get(name);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** `prefix.0.role`, `prefix.1.tool_calls.0.name` → the list of objects that was flattened into such names. */
export function unflattened(attributes: Attributes, prefix: string): JsonObject[] {
  const root: Tree = new Map();
  for (const [key, value] of attributes) {
    if (!key.startsWith(`${prefix}.`)) continue;
    const steps = key.slice(prefix.length + 1).split('.', MAX_DEPTH + 1);
    if (steps.length <= MAX_DEPTH) plant(root, steps, value);
  }
  return asObjects(asList(root));
}

type Tree = Map<string, unknown>;

function plant(root: Tree, steps: readonly string[], value: unknown): void {
  const last = steps.length - 1;
  let at = root;
  for (const step of steps.slice(0, last)) {
    const known = at.get(step);
    const inner: Tree = known instanceof Map ? known : new Map();
    at.set(step, inner);
    at = inner;
  }
  // An object that is written out field by field is there as a whole as well.
  if (!(at.get(steps[last] ?? '') instanceof Map)) at.set(steps[last] ?? '', value);
}

function grown(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const isNumbered = value.size > 0 && value.keys().every(isIndex);
  if (isNumbered) return asList(value);
  return Object.fromEntries([...value].map(([key, inner]) => [key, grown(inner)]));
}

function asList(tree: Tree): unknown[] {
  const entries = [...tree].filter(([key]) => isIndex(key));
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => grown(value));
}

function isIndex(key: string): boolean {
  return /^\d{1,4}$/.test(key);
}
