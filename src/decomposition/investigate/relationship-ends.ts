import { type ExtractedConcept, isStricter } from '../evidence.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import { normalise } from '../match/normalise.ts';
import type { Run } from './context.ts';

/** What an end of an extracted relationship stands for. */
export type End =
  | { readonly expected: string }
  /** It is a canary, or a concept that was not expected. */
  | { readonly unmatched: 'canary' | 'extra' };

/** By the label of a concept before its aliases; of several with one name, as matching does, the strictest match. */
export function endsOf({ output, trial }: Run): (name: string) => End {
  const byName = new Map<string, ExtractedConcept>();
  const labels = new Set(output.concepts.map(({ label }) => normalise(label)));
  for (const concept of trial.concepts) keepBetter(byName, normalise(concept.label), concept);
  for (const [i, { aliases = [] }] of output.concepts.entries()) {
    const concept = trial.concepts[i];
    for (const key of aliases.map(normalise)) {
      if (concept !== undefined && !labels.has(key)) keepBetter(byName, key, concept);
    }
  }
  // The same name is an end of many relationships.
  const known = new Map<string, End>();
  return (name) => {
    const end = known.get(name) ?? endOf(byName.get(normalise(name)));
    known.set(name, end);
    return end;
  };
}

function endOf(concept: ExtractedConcept | undefined): End {
  if (concept?.match !== undefined) return { expected: concept.match.expected };
  return { unmatched: concept?.canary === undefined ? 'extra' : 'canary' };
}

function keepBetter(byName: Map<string, ExtractedConcept>, key: string, concept: ExtractedConcept): void {
  const other = byName.get(key);
  if (other === undefined || isBetter(concept, other)) byName.set(key, concept);
}

/** A canary stands for nothing else; then a match before none, and a stricter one before a looser one. */
function isBetter(one: ExtractedConcept, other: ExtractedConcept): boolean {
  if (other.canary !== undefined) return false;
  if (one.canary !== undefined) return true;
  if (one.match === undefined) return false;
  if (other.match === undefined) return true;
  if (one.match.level !== other.match.level) return isStricter(one.match.level, other.match.level);
  return one.match.expected < other.match.expected;
}

/** The label of the expected concept that a name in the golden case stands for. */
export function ownersIn({ expectedConcepts }: GoldenCase): (name: string) => string {
  const owners = new Map<string, string>();
  const add = (name: string, label: string) => {
    const key = normalise(name);
    if (!owners.has(key)) owners.set(key, label);
  };
  for (const { label } of expectedConcepts) add(label, label);
  for (const { label, aliases } of expectedConcepts) for (const alias of aliases) add(alias, label);
  return (name) => owners.get(normalise(name)) ?? name;
}
