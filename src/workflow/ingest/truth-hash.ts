import { createHash } from 'node:crypto';
import { normaliseUnicode } from '../../normalise-unicode.ts';
import type { GroundTruth, Location, Trap } from '../truth.ts';

/**
 * The same for the same statements, whatever the notation, the order of the errors or the layout of the file: two
 * results are comparable only against the same hash.
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
    // Only where it is said, so that truths that do not say it keep their hash.
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
