import { createHash } from 'node:crypto';
import { z } from 'zod';
import { normaliseUnicode } from '../../normalise-unicode.ts';
import { CATEGORIES, type GroundTruth, type Location, SEVERITIES, type Trap } from '../truth.ts';
import {
  check,
  location,
  MAX_ITEMS,
  name,
  properties,
  type RawValue,
  repeats,
  strict,
  text,
} from './fields.ts';

const shared = {
  id: name,
  description: text,
  locations: z.array(location).max(1000).default([]),
  quote: text.optional().meta({ description: 'A verbatim piece of the reviewed document' }),
  accept_categories: z.array(name).max(100).optional(),
  properties,
};

export const knownErrorSchema = strict({ ...shared, severity: z.enum(SEVERITIES), category: name });
const trap = strict({ ...shared, category: name.optional() });

/** A ground truth as written in JSON and YAML. */
export const truthSchema = strict({
  draft: text.optional().meta({
    description: 'Marks a generated, uncorrected draft: no gate passes on a draft',
  }),
  task: name,
  version: name.meta({ description: 'Text: in YAML, quote a version such as 1.0' }),
  categories: z
    .array(name)
    .min(1)
    .max(5000)
    .optional()
    .meta({ description: `The categories that errors may have (default: ${CATEGORIES.join(', ')})` }),
  identify: z.literal('file', { error: 'can only be file' }).optional().meta({
    description:
      'Each file holds one known case: a finding in that file with that category is about it, whatever its lines',
  }),
  errors: z.array(knownErrorSchema).max(MAX_ITEMS),
  traps: z.array(trap).max(MAX_ITEMS).default([]),
  properties,
  $schema: z.string().optional(),
}).superRefine((truth, context) => {
  const fault = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  const place = (index: number) =>
    index < truth.errors.length ? ['errors', index] : ['traps', index - truth.errors.length];
  const all = [...truth.errors, ...truth.traps];
  for (const { index, first } of repeats(all.map(({ id }) => id))) {
    fault([...place(index), 'id'], `"${all[index]?.id}" is the id of ${place(first).join('.')} as well`);
  }
  if (truth.identify === 'file') {
    all.forEach(({ locations }, index) => {
      if (!locations.some(({ file }) => file !== undefined))
        fault([...place(index), 'locations'], 'names no file, yet the truth identifies errors by their file');
    });
  }
  const categories = truth.categories ?? CATEGORIES;
  for (const { index } of repeats(categories))
    fault(['categories', index], `"${categories[index]}" is there twice`);
  const known = new Set<string>(categories);
  const unknown = (category: string) =>
    `"${category}" is not known; it is one of ${[...known].slice(0, 20).join(', ')}, or the file declares its own categories`;
  all.forEach(({ category, accept_categories }, index) => {
    if (category !== undefined && !known.has(category))
      fault([...place(index), 'category'], unknown(category));
    accept_categories?.forEach((accepted, i) => {
      if (!known.has(accepted)) fault([...place(index), 'accept_categories', i], unknown(accepted));
    });
  });
});

type RawTruth = z.output<typeof truthSchema>;
type RawItem = RawTruth['traps'][number];

function truthOf({ draft, task, version, categories, errors, traps, identify }: RawTruth): GroundTruth {
  const truth = {
    task,
    version,
    categories: categories ?? [...CATEGORIES],
    errors: errors.map(({ severity, category, ...item }) => ({ ...itemOf(item), severity, category })),
    traps: traps.map(({ category, ...item }) => ({ ...itemOf(item), category })),
    identify,
  } satisfies Omit<GroundTruth, 'hash'>;
  return { ...truth, draft: draft === undefined ? undefined : true, hash: hashTruth(truth) };
}

function itemOf({ id, description, locations, quote, accept_categories }: Omit<RawItem, 'category'>) {
  return {
    id,
    description,
    locations: locations.map(({ file, section, lines }) => ({ file, section, lines })),
    quote,
    acceptCategories: accept_categories,
  };
}

/** Validates a truth in Assay's own shape, whatever its file format. */
export function checkTruth(source: RawValue): GroundTruth {
  return truthOf(check(truthSchema, source, TRUTH_REMEDY));
}

export const TRUTH_REMEDY =
  'Correct the place that the message names; docs/formats/workflow-ground-truth.md describes a ground truth with an example.';

/**
 * The same for equal content, whatever the file format, the order of the errors or the layout. Two results are
 * comparable only if they have the same hash.
 */
export function hashTruth(truth: Omit<GroundTruth, 'hash'>): string {
  const { task, version, categories, errors, traps, identify } = truth;
  const content = [
    'assay ground truth 1',
    task,
    version,
    categories.toSorted(),
    sorted(errors.map((error) => [...statementOf(error), error.severity, error.category])),
    sorted(traps.map((trap) => [...statementOf(trap), trap.category ?? null])),
    // Included only if present, so that truths without it keep their hash.
    ...(identify === undefined ? [] : [identify]),
  ];
  return createHash('sha256')
    .update(normaliseUnicode(JSON.stringify(content), 'NFC'))
    .digest('hex');
}

function statementOf({ id, description, locations, quote, acceptCategories }: Trap): unknown[] {
  return [
    id,
    description,
    sorted(locations.map(placeOf)),
    quote ?? null,
    (acceptCategories ?? []).toSorted(),
  ];
}

function placeOf({ file, section, lines }: Location): unknown[] {
  return [file ?? null, section ?? null, lines ?? null];
}

function sorted(items: readonly unknown[][]): unknown[][] {
  const keyed = items.map((item) => [JSON.stringify(item), item] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}
