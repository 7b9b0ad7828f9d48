/**
 * What every backend does to a record before it is stored, so that all of them return the same thing: strings become
 * well-formed Unicode (a lone surrogate becomes U+FFFD), -0 becomes 0, and what JSON cannot hold (NaN, Infinity,
 * functions, cycles) is refused instead of silently turning into null.
 */
import { hash } from 'node:crypto';
import { AssayError } from '../errors.ts';
import type { Json } from './schema/records.ts';

/** Deeper than any evidence; a cycle ends here too. */
const MAX_DEPTH = 200;

/** The value itself where nothing has to change, which is the rule; otherwise a copy. */
export function normalise(value: unknown, where: string): Json {
  return isNormal(value, 0) ? (value as Json) : copyOf(value, where, 0);
}

function isNormal(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    // Not `every`, which skips holes.
    for (const item of value) if (!isNormal(item, depth + 1)) return false;
    return true;
  }
  if (!isPlainObject(value)) return false;
  for (const key of Object.keys(value))
    if (!key.isWellFormed() || !isNormal(value[key], depth + 1)) return false;
  return true;
}

/** With sorted keys; throws on values that JSON cannot store. */
function copyOf(value: unknown, where: string, depth: number): Json {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'boolean':
      return value;
    case 'number':
      return finite(value, where);
    case 'object':
      break;
    default:
      throw invalid(where, `holds ${value === undefined ? 'undefined' : `a ${typeof value}`}`);
  }
  if (value === null) return null;
  if (depth === MAX_DEPTH) throw invalid(where, `is nested deeper than ${MAX_DEPTH} levels`);
  // Array.from visits holes, which map would skip.
  if (Array.isArray(value)) return Array.from(value, (item) => copyOf(item, where, depth + 1));
  return copyOfObject(value, where, depth);
}

/** Skips keys without a value, as JSON does. */
function copyOfObject(value: unknown, where: string, depth: number): Json {
  if (!isPlainObject(value)) throw invalid(where, 'must be a plain object');
  const copy: Record<string, Json> = {};
  let isRenamed = false;
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue;
    const name = key.toWellFormed();
    isRenamed ||= name !== key;
    if (isRenamed && Object.hasOwn(copy, name))
      throw invalid(where, `has two keys that are both ${JSON.stringify(name)} as Unicode`);
    const item = copyOf(value[key], where, depth + 1);
    if (name === '__proto__') Object.defineProperty(copy, name, { value: item, ...ORDINARY });
    else copy[name] = item;
  }
  return copy;
}

const ORDINARY = { enumerable: true, configurable: true, writable: true };

export function finite(value: unknown, where: string): number {
  if (typeof value !== 'number') throw invalid(where, 'must be a number');
  if (!Number.isFinite(value)) throw invalid(where, `is ${value}; omit values that could not be measured`);
  return value + 0;
}

/** JSON with sorted keys: the same for equal content. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(copyOf(value, 'record', 0));
}

/** The same for equal content, whatever the order of its keys. */
export function contentHash(value: unknown): string {
  return hash('sha256', canonicalJson(value));
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** One spelling only: times are compared as text, and `…:00Z` would sort after `…:00.500Z`. */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !TIME.test(value)) return false;
  // The day of an invalid date is NaN, and 31 February is the 3rd of March.
  return new Date(value).getUTCDate() === Number(value.slice(8, 10));
}

export function invalid(where: string, what: string): AssayError {
  return new AssayError('INPUT_INVALID', `${where} ${what}`);
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
