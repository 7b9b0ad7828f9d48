/** Guesses from its beginning what a file without a transcript is, so that the user sees a wrong path at once. */
import { closeSync, openSync, readSync } from 'node:fs';

const LOOKED_AT = 64 * 1024;
const KEYS_NAMED = 4;

/** Letters that files of a kind begin with. */
const BEGINNINGS: readonly (readonly [letters: string, kind: string])[] = [
  ['SQLite format 3\0', 'an SQLite database of no agent that is known'],
  ['\x89PNG', 'a picture (PNG)'],
  ['\xff\xd8\xff', 'a picture (JPEG)'],
  ['GIF8', 'a picture (GIF)'],
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive without a transcript that is known'],
  ['\x1f\x8b', 'a compressed file (gzip) without a transcript that is known'],
  ['\x28\xb5\x2f\xfd', 'a compressed file (zstd) without a transcript that is known'],
  ['<!doctype html', 'a web page'],
  ['<html', 'a web page'],
  ['<?xml', 'an XML file'],
];

export function looksLike(path: string): string {
  const begin = beginningOf(path);
  if (begin === undefined) return 'a file that cannot be read';
  if (begin.length === 0) return 'an empty file';
  const letters = begin.toString('latin1');
  const known = BEGINNINGS.find(([start]) => letters.toLowerCase().startsWith(start.toLowerCase()));
  if (known !== undefined) return known[1];
  if (begin.includes(0)) return 'a file of bytes that are no text';
  return textKind(begin.toString('utf8').replace(/^\ufeff/, ''), begin.length < LOOKED_AT);
}

function beginningOf(path: string): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(LOOKED_AT);
      return buffer.subarray(0, readSync(file, buffer, 0, LOOKED_AT, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function textKind(text: string, isWhole: boolean): string {
  const whole = isWhole ? parsed(text) : undefined;
  if (isTraces(whole)) return 'a list of Langfuse traces without their observations; those are what is read';
  if (Array.isArray(whole)) return `a JSON list${named(whole[0])}: no list of messages that is known`;
  if (whole !== undefined) return `a JSON object${named(whole)}: none that an agent is known to write`;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = lines.map(parsed).find((line) => line !== undefined);
  if (first !== undefined) return `JSON lines${named(first)}: none that an agent is known to write`;
  if (/^\s*[[{]/.test(text)) return 'JSON that breaks off or is not valid';
  if (isTable(lines[0] ?? ''))
    return 'a table (CSV) of traces or observations; export the observations as JSON or JSON lines instead, which are read';
  return lines.length === 0 ? 'an empty file' : 'a plain text';
}

/** By its heads: scores are among them, and may be called anything. */
function isTable(head: string): boolean {
  const names = head
    .split(',')
    .map((name) => name.trim().replaceAll(/^"|"$/g, '').replaceAll('_', '').toLowerCase());
  const has = (...wanted: string[]) => wanted.some((name) => names.includes(name));
  return has('traceid') || (has('sessionid', 'timestamp') && has('input', 'output'));
}

/** The list of an API, without models and tools. */
function isTraces(value: unknown): boolean {
  const list = Array.isArray(value) ? value : Object(value).data;
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return ['timestamp', 'sessionId', 'userId'].every((key) => Object.hasOwn(Object(first), key));
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Field names help to recognise a file; values are not shown. */
function named(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
  const keys = Object.keys(value);
  const more = keys.length > KEYS_NAMED ? ' …' : '';
  return keys.length === 0 ? '' : ` with ${keys.slice(0, KEYS_NAMED).map(short).join(', ')}${more}`;
}

function short(key: string): string {
  return key.length > 30 ? `${key.slice(0, 29)}…` : key;
}
