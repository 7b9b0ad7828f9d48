import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { readJson } from '../../files.ts';
import { PREDICATES, type Predicate, type PredicateMap } from '../golden-rules.ts';
import { parseWith } from './parse.ts';

/** Far beyond any text of a few pages; more is a fault of the extractor, not a result. */
const MOST = {
  concepts: 20_000,
  relationships: 50_000,
  aliases: 50,
  fields: 2_000,
  label: 1_000,
  quote: 20_000,
  bytes: 16 * 1024 * 1024,
} as const;

export const MOST_OUTPUT_BYTES = MOST.bytes;

/** A label of only brackets, spaces or invisible characters names nothing. */
const label = z
  .string()
  .trim()
  .min(1)
  .max(MOST.label)
  .regex(/[\p{L}\p{N}\p{S}]/u, 'has no letter, digit or symbol');
const confidence = z.number().min(0).max(1).optional();
const sourceQuote = z
  .string()
  .max(MOST.quote)
  .optional()
  .describe('The passage of the source text that it rests on, verbatim.');
const aliases = z
  .array(label)
  .max(MOST.aliases)
  .optional()
  .describe('Other names under which it may be recognised.');
const flaw = z
  .string()
  .max(MOST.label)
  .optional()
  .describe('A fault of this item, which counts as wrong whatever its content.');
const stamp = z.string().max(MOST.label).optional();

const fieldValue = z.union([z.string().max(MOST.quote), z.number(), z.boolean()]);
const fieldSchema = z.object({
  name: label,
  value: z.union([fieldValue, z.array(fieldValue).max(MOST.fields)]),
  sourceQuote,
  confidence,
});
const fields = z
  .union([z.array(fieldSchema).max(MOST.fields), z.record(label, z.unknown())])
  .optional()
  .describe('Fields with their values, as a list, or as an object of names and values.');

const conceptSchema = z.object({ label, aliases, sourceQuote, confidence, flaw });
const relationshipSchema = z.object({
  source: label,
  target: label,
  predicate: z.enum(PREDICATES),
  confidence,
  sourceQuote,
  flaw,
});
const facts = {
  latencyMs: z.number().min(0).optional(),
  costUsd: z.number().min(0).optional(),
  model: stamp.describe('The model that made it, e.g. `openai/gpt-5-mini`.'),
  promptVersion: stamp.describe('The name or version of the prompt that it was made with.'),
  promptSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 of the file of that prompt: what a promotion is held to.'),
};

export const extractionOutputSchema = z.object({
  concepts: z.array(conceptSchema).max(MOST.concepts),
  relationships: z.array(relationshipSchema).max(MOST.relationships).default([]),
  fields,
  ...facts,
});

const frameSchema = z.object({
  concepts: z.array(z.unknown()).max(MOST.concepts),
  fields: z.unknown().optional(),
  relationships: z.array(z.unknown()).max(MOST.relationships).default([]),
  ...facts,
});

type Frame = Omit<z.infer<typeof frameSchema>, 'concepts' | 'relationships' | 'fields'>;
export type OutputField = z.infer<typeof fieldSchema>;
export type OutputConcept = z.infer<typeof conceptSchema>;
/** An unknown predicate makes only this relationship wrong, not the whole answer. */
export type OutputRelationship = Omit<z.infer<typeof relationshipSchema>, 'predicate'> & {
  predicate: string;
};
export type ExtractionOutput = Frame & {
  concepts: OutputConcept[];
  relationships: OutputRelationship[];
  fields?: OutputField[];
  /** The output format has no place for quotes. */
  withoutQuotes?: true;
};

/** One flaw does not invalidate an answer: unreadable items are stored as wrong. Only the frame must be valid. */
export function parseOutput(value: unknown, where: string): ExtractionOutput {
  checkLengths(value, where);
  const {
    concepts,
    relationships,
    fields: given,
    ...rest
  } = parseWith(frameSchema, withConcepts(dropNulls(value)), where);
  return {
    concepts: concepts.map(readConcept),
    relationships: relationships.map(readRelationship),
    ...(given !== undefined && { fields: readFields(given) }),
    ...rest,
  };
}

export function readOutput(path: string): ExtractionOutput {
  return parseOutput(readJson(path, MOST.bytes), path);
}

/** An output with only fields needs no concepts. */
function withConcepts(value: unknown): unknown {
  const fieldsOnly = fieldOf(value, 'fields') !== undefined && fieldOf(value, 'concepts') === undefined;
  return fieldsOnly ? { ...(value as object), concepts: [] } : value;
}

/** A list, or `{ "total": 12 }`, or `{ "total": { "value": 12, "sourceQuote": "…" } }`. Anything else is skipped. */
function readFields(given: unknown): OutputField[] {
  const list = Array.isArray(given)
    ? given
    : Object.entries(typeof given === 'object' && given !== null ? given : {}).map(([name, value]) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? { ...value, name }
          : { name, value },
      );
  return list.slice(0, MOST.fields).flatMap((one) => fieldSchema.safeParse(dropNulls(one)).data ?? []);
}

function readConcept(item: unknown): OutputConcept {
  const given = dropNulls(item);
  const parsed = conceptSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  return {
    label: nameIn(given, 'label'),
    ...readable({ aliases, sourceQuote, confidence }, given),
    flaw: sayFlaw(parsed.error),
  };
}

const anyPredicate = relationshipSchema.extend({ predicate: label });

function readRelationship(item: unknown): OutputRelationship {
  const given = dropNulls(item);
  const parsed = anyPredicate.safeParse(given);
  if (parsed.success) return { ...parsed.data, predicate: readPredicate(parsed.data.predicate) };
  return {
    source: nameIn(given, 'source'),
    target: nameIn(given, 'target'),
    predicate: readPredicate(nameIn(given, 'predicate')),
    ...readable({ sourceQuote, confidence }, given),
    flaw: sayFlaw(parsed.error),
  };
}

/** Placeholder for a missing name; no expected concept has it. */
const NO_NAME = '(none)';

function nameIn(item: unknown, key: string): string {
  const parsed = label.safeParse(fieldOf(item, key));
  return parsed.success ? parsed.data : NO_NAME;
}

/** The valid properties of an invalid item. */
function readable<T extends Record<string, z.ZodType>>(
  schemas: T,
  item: unknown,
): { [K in keyof T]?: NonNullable<z.infer<T[K]>> } {
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([key, schema]) => {
      const parsed = schema.safeParse(fieldOf(item, key));
      return parsed.success && parsed.data !== undefined ? [[key, parsed.data]] : [];
    }),
  ) as { [K in keyof T]?: NonNullable<z.infer<T[K]>> };
}

function fieldOf(item: unknown, key: string): unknown {
  return typeof item === 'object' && item !== null && Object.hasOwn(item, key)
    ? (item as Record<string, unknown>)[key]
    : undefined;
}

function sayFlaw({ issues: [first] }: z.ZodError): string {
  const place = first?.path.map(String).join('.') ?? '';
  return `${place === '' ? '' : `${place}: `}${first?.message ?? 'not readable'}`.slice(0, MOST.label);
}

/** Many programs write missing values as null. */
function dropNulls(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

/** Checked before validating every item: reports on a list of millions of faults would exhaust the memory. */
function checkLengths(value: unknown, where: string): void {
  for (const key of ['concepts', 'relationships'] as const) {
    const list = fieldOf(value, key);
    if (Array.isArray(list) && list.length > MOST[key]) {
      throw new AssayError(
        'INPUT_INVALID',
        `${where}: ${key}: has ${list.length} items; at most ${MOST[key]} are read`,
      );
    }
  }
}

const KNOWN: ReadonlySet<string> = new Set(PREDICATES);

/** `causes`, `is-a`, `relatesTo`: the same predicate in another case or spelling. An unknown one is unchanged. */
export function readPredicate(given: string, map: PredicateMap = {}): string {
  const spelt = spelling(given);
  if (KNOWN.has(spelt)) return spelt;
  const mapped = Object.entries(map).find(([name]) => spelling(name) === spelt)?.[1];
  return mapped ?? given;
}

export function isPredicate(given: string): given is Predicate {
  return KNOWN.has(given);
}

function spelling(predicate: string): string {
  return predicate
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s_-]+/g, '_')
    .toUpperCase();
}
