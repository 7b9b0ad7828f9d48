/** Compares the fields of an answer with those of a golden case: by name, then by value according to type. */
import { normaliseUnicode } from '../../normalise-unicode.ts';
import type { FieldEvidence } from '../evidence.ts';
import type { GoldenCase, GoldenField } from '../ingest/golden-case.ts';
import type { ExtractionOutput, OutputField } from '../ingest/output.ts';
import { normalise } from './normalise.ts';
import { type SearchableText, verifyQuote } from './verify-quote.ts';

/** Undefined if the case has no fields, so there is nothing to measure. */
export function matchFields(
  { fields: expected }: GoldenCase,
  { fields: given = [] }: Pick<ExtractionOutput, 'fields'>,
  text: SearchableText,
): readonly FieldEvidence[] | undefined {
  if (expected === undefined) return undefined;
  const byName = Map.groupBy(given, ({ name }) => normalise(name));
  const wanted = expected.map((field): FieldEvidence => {
    const [first] = byName.get(normalise(field.name)) ?? [];
    return first === undefined ? missing(field) : compared(field, first, text);
  });
  const names = new Set(expected.map(({ name }) => normalise(name)));
  const seen = new Set<string>();
  const others = given.filter(({ name }) => {
    const key = normalise(name);
    const first = names.has(key) && !seen.has(key);
    seen.add(key);
    return !first;
  });
  return [...wanted, ...others.map((field) => extra(field, text))];
}

const said = (value: GoldenField['value'] | OutputField['value']): string =>
  Array.isArray(value) ? value.map(String).join('; ') : String(value);

function missing({ name, type, value, required }: GoldenField): FieldEvidence {
  const items = Array.isArray(value) ? value.length : 1;
  return {
    name,
    type,
    required,
    expected: said(value),
    right: 0,
    given: 0,
    wanted: items,
    quote: { state: 'none' },
  };
}

function extra({ name, value, sourceQuote }: OutputField, text: SearchableText): FieldEvidence {
  const items = Array.isArray(value) ? value.length : 1;
  return {
    name,
    said: said(value),
    right: 0,
    given: items,
    wanted: 0,
    quote: verifyQuote(sourceQuote, text, said(value)),
  };
}

function compared(
  field: GoldenField,
  { value, sourceQuote }: OutputField,
  text: SearchableText,
): FieldEvidence {
  const wanted = Array.isArray(field.value) ? field.value : [field.value];
  const given = Array.isArray(value) ? value : [value];
  const left = [...given];
  let right = 0;
  let exact = 0;
  for (const one of wanted) {
    const same = left.findIndex((other) => literal(one) === literal(other));
    const at = same >= 0 ? same : left.findIndex((other) => isSame(field, one, other));
    if (at < 0) continue;
    left.splice(at, 1);
    right += 1;
    if (same >= 0) exact += 1;
  }
  return {
    name: field.name,
    type: field.type,
    required: field.required,
    expected: said(field.value),
    said: said(value),
    right,
    exact,
    given: given.length,
    wanted: wanted.length,
    quote: verifyQuote(sourceQuote, text, said(value)),
  };
}

type Value = string | number | boolean;

const literal = (value: Value): string => normaliseUnicode(String(value), 'NFKC').trim().replace(/\s+/g, ' ');

function isSame({ type, tolerance = 0 }: GoldenField, expected: Value, given: Value): boolean {
  if (type === 'number') return isNear(numberOf(expected), numberOf(given), tolerance);
  if (type === 'money') {
    const [one, other] = [moneyOf(expected), moneyOf(given)];
    return one.currency === other.currency && isNear(one.amount, other.amount, tolerance);
  }
  if (type === 'date') return isNear(dayOf(expected), dayOf(given), tolerance);
  return normalise(String(expected)) === normalise(String(given));
}

/** Ignores floating-point rounding errors. */
function isNear(one: number | undefined, other: number | undefined, tolerance: number): boolean {
  if (one === undefined || other === undefined) return false;
  return Math.abs(one - other) <= tolerance + 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
}

/** `1,234.50`, `1.234,50`, `1 234.5`, `12%`. A single separator followed by three digits is a thousands separator. */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  const plain = literal(value)
    .replace(/[−–]/g, '-')
    .replace(/[\s'’%]/g, '');
  const found = /^([-+]?)(\d[\d.,]*)$/.exec(plain);
  if (found === null) return undefined;
  const [, sign, digits = ''] = found;
  const comma = digits.lastIndexOf(',');
  const point = digits.lastIndexOf('.');
  const [decimal, group] = comma > point ? [',', '.'] : ['.', ','];
  const pieces = digits.split(decimal);
  const groups = /^\d{1,3}$/.test(pieces[0] ?? '') && pieces.slice(1).every((one) => /^\d{3}$/.test(one));
  const isGrouping =
    !digits.includes(group) && pieces.length > 1 && groups && (decimal === ',' || pieces.length > 2);
  const number = isGrouping
    ? Number(pieces.join(''))
    : Number(digits.replaceAll(group, '').replace(decimal, '.'));
  return Number.isFinite(number) ? (sign === '-' ? -number : number) : undefined;
}

const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY' };

/** `EUR 1,200.50`, `€1.200,50`, `1200.5 eur`. Without a currency, the currency is unknown. */
export function moneyOf(value: Value): { readonly amount: number | undefined; readonly currency: string } {
  const text = literal(value).toUpperCase();
  const named = /[A-Z]{3}/.exec(text)?.[0] ?? '';
  const symbol = /[€$£¥]/.exec(text)?.[0];
  return {
    amount: numberOf(text.replace(/[A-Z€$£¥]/g, '')),
    currency: named === '' ? (SYMBOLS[symbol ?? ''] ?? '') : named,
  };
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAY_MS = 86_400_000;

/** Days since 1970: `2026-03-05`, `5 March 2026`, `March 5, 2026`, `05.03.2026`, `5/3/2026` (day first). */
export function dayOf(value: Value): number | undefined {
  const text = literal(value).toLowerCase();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ]|$)/.exec(text);
  if (iso) return dayAt(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numeric = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text);
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])];
    return second > 12 ? dayAt(Number(numeric[3]), first, second) : dayAt(Number(numeric[3]), second, first);
  }
  const words = text.split(/[\s,.]+/);
  const month = words.map((word) => MONTHS.indexOf(word.slice(0, 3)) + 1).find((one) => one > 0);
  const numbers = words
    .map((word) => /^(\d{1,4})(?:st|nd|rd|th)?$/.exec(word)?.[1])
    .filter((one) => one !== undefined);
  const year = numbers.find((one) => one.length === 4);
  const day = numbers.find((one) => one.length < 3);
  return month === undefined || year === undefined || day === undefined
    ? undefined
    : dayAt(Number(year), month, Number(day));
}

function dayAt(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / DAY_MS : undefined;
}
