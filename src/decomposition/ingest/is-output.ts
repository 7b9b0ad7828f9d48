/**
 * A quick look at what an extractor produced. The schema says what an output must be, and what is wrong with one that
 * is not; most are letter for letter what it would make of them, and that is seen sooner than parsed. Whatever gives
 * this look pause (a key of the extractor's own, a space before a label) is left to the schema.
 */
import { PREDICATES } from '../predicates.ts';

type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

/** The limits of the schema. */
export type Limits = {
  readonly concepts: number;
  readonly relationships: number;
  readonly aliases: number;
  readonly label: number;
  readonly quote: number;
};

export function outputCheck(most: Limits): Check {
  const isLabel: Check = (value) =>
    typeof value === 'string' && value !== '' && value.length <= most.label && value.trim() === value;
  const isShare: Check = (value) => typeof value === 'number' && value >= 0 && value <= 1;
  const isAmount: Check = (value) => typeof value === 'number' && value >= 0 && value < Infinity;
  const isQuote = isText(most.quote);
  const optional = { sourceQuote: isQuote, confidence: isShare, flaw: isText(most.label) };
  const concept = isRecord({ label: isLabel }, { ...optional, aliases: isListOf(isLabel, most.aliases) });
  const isPredicate: Check = (value) => (PREDICATES as readonly unknown[]).includes(value);
  const relationship = isRecord({ source: isLabel, target: isLabel, predicate: isPredicate }, optional);
  return isRecord(
    {
      concepts: isListOf(concept, most.concepts),
      relationships: isListOf(relationship, most.relationships),
    },
    {
      latencyMs: isAmount,
      costUsd: isAmount,
      model: isText(most.label),
      promptVersion: isText(most.label),
      promptSha256: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
    },
  );
}

function isText(most: number): Check {
  return (value) => typeof value === 'string' && value.length <= most;
}

function isListOf(check: Check, most: number): Check {
  return (value) => Array.isArray(value) && value.length <= most && value.every(check);
}

/** All of `required` and nothing but what both name. */
function isRecord(required: Checks, optional: Checks): Check {
  const checks = new Map(Object.entries({ ...optional, ...required }));
  const least = Object.keys(required);
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record)) if (!checks.get(key)?.(record[key])) return false;
    return least.every((key) => Object.hasOwn(record, key));
  };
}
