import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { listNames, readJson } from '../../files.ts';
import { FIELD_TYPES } from '../evidence.ts';
import { findSameTexts } from '../golden/same-texts.ts';
import { GOLDEN_RULES, type Vocabulary } from '../golden-rules.ts';
import { proposalHash } from '../integrity.ts';
import { canaryKey } from '../match/label-keys.ts';
import { normalise } from '../match/normalise.ts';
import { parseWith } from './parse.ts';

const label = z.string().trim().min(1);

const item = z.union([z.string().trim().min(1), z.number(), z.boolean()]);

const field = z
  .strictObject({
    name: label,
    type: z.enum(FIELD_TYPES),
    value: z.union([item, z.array(item).min(1)]),
    values: z.array(label).optional().describe('Of an enum: all that it may be.'),
    tolerance: z
      .number()
      .min(0)
      .optional()
      .describe('How far a number or an amount may be off, or how many days a date.'),
    required: z.boolean().default(true).describe('Must be found; an optional one should be.'),
  })
  .refine(({ type, value }) => (type === 'list') === Array.isArray(value), {
    message: 'a list has a list of values, and any other type one value',
    path: ['value'],
  })
  .refine(({ values, value }) => values === undefined || values.includes(String(value)), {
    message: 'is none of the values of its enum',
    path: ['value'],
  });

export type GoldenField = z.infer<typeof field>;

export const goldenSchemaWith = ({ domains, predicates }: Vocabulary) => {
  const relationship = z.strictObject({ source: label, target: label, predicate: z.enum(predicates) });
  const file = z.strictObject({
    $schema: z.string().optional().describe('Where an editor finds the schema of this file.'),
    id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens'),
    draft: z
      .string()
      .min(1)
      .optional()
      .describe('Marks a generated, uncorrected draft: no gate passes on a draft.'),
    drafted: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('Of a case that began as a draft: the SHA-256 of what was proposed. Leave it as it is.'),
    topic: label,
    domain: z.enum(domains),
    version: z.string(),
    created: z.iso.date(),
    citation: z.string().optional().describe('The source of the text, if it is not original.'),
    sourceText: z.string().min(1).describe('The text to decompose; what is expected must be found in it.'),
    expectedConcepts: z.array(
      z.strictObject({
        label,
        aliases: z.array(label).default([]).describe('Other names that count as this concept.'),
        required: z.boolean().default(true).describe('Must be found; an optional one should be.'),
      }),
    ),
    expectedRelationships: z.array(
      relationship.extend({
        required: z.boolean().default(true),
        evidence: z.string().optional().describe('The words of the source text that state it, verbatim.'),
      }),
    ),
    fields: z.array(field).min(1).optional().describe('Fields of the text with their values: an extension.'),
    forbiddenConcepts: z
      .array(label)
      .default([])
      .describe('Canaries: plausible terms that the text does not contain.'),
    forbiddenRelationships: z
      .array(relationship)
      .default([])
      .describe('Plausible relationships that the text does not state.'),
  });
  // `$schema` only helps editors, so it belongs neither to the case nor to the hash of its set.
  return file.transform(({ $schema: _, ...golden }) => golden);
};

export const goldenCaseSchema = goldenSchemaWith(GOLDEN_RULES);

export type GoldenCase = z.infer<typeof goldenCaseSchema>;

export type GoldenSet = {
  readonly cases: readonly GoldenCase[];
  readonly hash: string;
  /** Contradictions within cases: an expected canary, or an end that is no concept. */
  readonly doubts: readonly string[];
  readonly drafts: readonly string[];
  /** Why measuring against it proves nothing: a draft without edits, or a duplicate text. */
  readonly faults: readonly string[];
};

export function goldenNames(folder: string): string[] {
  try {
    return listNames(folder, '.gold.json');
  } catch (cause) {
    if (!(cause instanceof AssayError) || cause.code !== 'FILE_NOT_FOUND') throw cause;
    throw new AssayError('FILE_NOT_FOUND', `there are no golden cases: ${cause.message}`, {
      cause,
      remedy: [
        {
          say: 'Draft the first one from a text of yours',
          step: { operation: 'decomposition new', options: { help: true } },
        },
        { say: 'see what one looks like', step: { operation: 'example' } },
      ],
    });
  }
}

export function readGoldenSet(folder: string, vocabulary: Vocabulary = GOLDEN_RULES): GoldenSet {
  const schema = goldenSchemaWith(vocabulary);
  const files = goldenNames(folder).map((name): GoldenFile => {
    const path = join(folder, name);
    const golden = parseWith(schema, readJson(path), path, {
      say: 'See all that is wrong with the cases',
      step: { operation: 'decomposition lint', positionals: [dirname(path)] },
    });
    return { path, golden };
  });
  refuseSameId(files);
  const cases = files.map(({ golden }) => golden);
  return {
    cases,
    hash: createHash('sha256').update(JSON.stringify(cases)).digest('hex'),
    doubts: files.flatMap(doubtsAbout),
    drafts: cases.flatMap(({ id, draft }) => (draft === undefined ? [] : [id])),
    faults: [...uneditedDrafts(cases), ...copies(cases)],
  };
}

type GoldenFile = { readonly path: string; readonly golden: GoldenCase };

/** The outputs of two cases with the same id could not be distinguished. */
function refuseSameId(files: readonly GoldenFile[]): void {
  for (const [id, [first, second]] of Map.groupBy(files, ({ golden }) => golden.id)) {
    if (first === undefined || second === undefined) continue;
    throw new AssayError('INPUT_INVALID', `${second.path}: id: ${first.path} has the id "${id}" as well`);
  }
}

function uneditedDrafts(cases: readonly GoldenCase[]): string[] {
  return cases.flatMap((one) =>
    one.draft === undefined && one.drafted !== undefined && one.drafted === proposalHash(one)
      ? [
          `golden case ${one.id} is a draft published without an edit; agreeing with a proposal proves nothing`,
        ]
      : [],
  );
}

/** Above this number, cases are compared only by their whole texts: their word runs would exceed the memory. */
const MOST_COMPARED = 500;

function copies(cases: readonly GoldenCase[]): string[] {
  const texts = cases.map(({ sourceText }) => sourceText);
  const same =
    texts.length > MOST_COMPARED
      ? [...Map.groupBy(texts.keys(), (place) => texts[place]).values()].flatMap(([first = 0, ...more]) =>
          more.map((second) => ({ first, second })),
        )
      : findSameTexts(texts);
  return same.map(
    ({ first, second }) =>
      `golden case ${cases[second]?.id} has the text of ${cases[first]?.id}: one case counts twice`,
  );
}

/** Contradictions within a case, with file and place. The case can still be measured, but less reliably. */
function doubtsAbout({ path, golden }: GoldenFile): string[] {
  const labels = new Set<string>();
  const repeated = golden.expectedConcepts.flatMap(({ label }, i) => {
    const key = normalise(label);
    if (labels.has(key)) return [`expectedConcepts.${i}.label: "${label}" is expected twice`];
    labels.add(key);
    return [];
  });
  const names = new Set([
    ...labels,
    ...golden.expectedConcepts.flatMap(({ aliases }) => aliases.map(normalise)),
  ]);
  const loose = golden.expectedRelationships.flatMap((relationship, i) =>
    (['source', 'target'] as const).flatMap((end) =>
      names.has(normalise(relationship[end]))
        ? []
        : [
            `expectedRelationships.${i}.${end}: "${relationship[end]}" is no expected concept and no alias of one`,
          ],
    ),
  );
  // Compared like canaries, which also match disguised spellings of an expected name.
  const seen = new Set(
    golden.expectedConcepts.flatMap(({ label, aliases }) => [label, ...aliases].map(canaryKey)),
  );
  const both = golden.forbiddenConcepts.flatMap((label, i) =>
    seen.has(canaryKey(label)) ? [`forbiddenConcepts.${i}: "${label}" is expected as well`] : [],
  );
  return [...repeated, ...loose, ...both].map((doubt) => `${path}: ${doubt}`);
}
