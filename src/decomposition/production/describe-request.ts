import { createHash } from 'node:crypto';
import { AssayError } from '../../errors.ts';
import type { ExtractionOutput, OutputConcept } from '../ingest/output.ts';
import type { OutputMap } from '../ingest/outputs/output-map.ts';
import { tryReadOutput } from '../ingest/outputs/read-foreign.ts';
import { indexText, isMentioned } from '../investigate/text-index.ts';
import { placed, searchable, verifyQuote } from '../match/verify-quote.ts';
import {
  CONFIDENCE_BINS,
  type ConfidenceCounts,
  type DecompositionRecord,
  MOST_PREDICATES,
  OTHER_PREDICATES,
} from './record.ts';
import type { Sampler } from './sample.ts';

/** A request as somebody saw it: what its record leaves open is counted from the text and the output. */
export type ReceivedRequest = {
  readonly record: DecompositionRecord;
  readonly text?: string | undefined;
  readonly output?: unknown;
};

/** What is kept of a request. What the record says already is taken as it is; without a sampler nothing more is drawn. */
export function describeRequest(
  { record, text, output: given }: ReceivedRequest,
  map: OutputMap,
  sampler?: Sampler,
): DecompositionRecord {
  const output = given === undefined || given === null ? undefined : tryReadOutput(given, map);
  const isFaulty = output instanceof AssayError;
  const counted: DecompositionRecord = {
    ...(text !== undefined && describeText(text)),
    ...(output !== undefined && !isFaulty && { ...factsOf(output), ...countOutput(output) }),
    ...record,
    ...(isFaulty && { status: 'error', errorKind: record.errorKind ?? 'unreadable output' }),
  };
  const sample = record.sample ?? drawn(counted, sampler);
  if (sample === undefined) return counted;
  const isVerifiable =
    text !== undefined && output !== undefined && !isFaulty && record.unmentioned === undefined;
  return { ...counted, sample, ...(isVerifiable && verifyOutput(text, output)) };
}

function factsOf({
  latencyMs,
  costUsd,
  model,
  promptVersion,
}: ExtractionOutput): Partial<DecompositionRecord> {
  return { latencyMs, costUsd, ...(model && { model }), ...(promptVersion && { promptVersion }) };
}

/** Nobody can rate an answer that was none. */
function drawn(record: DecompositionRecord, sampler: Sampler | undefined): DecompositionRecord['sample'] {
  if (record.status === 'error') return undefined;
  const { id, topic, confidence } = record;
  const mean = confidence === undefined || confidence.n === 0 ? undefined : confidence.sum / confidence.n;
  return sampler?.draw({ id, topic, confidence: mean });
}

type Counted = Pick<
  DecompositionRecord,
  'concepts' | 'quoted' | 'relationships' | 'confidence' | 'predicates'
>;
type Verified = Pick<DecompositionRecord, 'quotes' | 'unmentioned'>;

function describeText(text: string): { readonly textHash: string; readonly textLength: number } {
  return { textHash: createHash('sha256').update(text).digest('hex'), textLength: text.length };
}

function countOutput({ concepts, relationships, withoutQuotes }: ExtractionOutput): Counted {
  const confidence = countConfidence(concepts);
  return {
    concepts: concepts.length,
    // A format without quotes says nothing about them.
    ...(withoutQuotes !== true && {
      quoted: concepts.filter(({ sourceQuote = '' }) => sourceQuote.trim() !== '').length,
    }),
    relationships: relationships.length,
    ...(confidence.n > 0 && { confidence }),
    ...(relationships.length > 0 && { predicates: countPredicates(relationships) }),
  };
}

function countConfidence(concepts: readonly OutputConcept[]): ConfidenceCounts {
  const bins = new Array<number>(CONFIDENCE_BINS).fill(0);
  let [n, sum] = [0, 0];
  for (const { confidence } of concepts) {
    if (confidence === undefined) continue;
    const bin = Math.min(CONFIDENCE_BINS - 1, Math.floor(confidence * CONFIDENCE_BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
    n += 1;
    sum += confidence;
  }
  return { n, sum, bins };
}

/** The most frequent by name: an extractor that invents predicates must not fill the store with them. */
function countPredicates(relationships: ExtractionOutput['relationships']): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { predicate } of relationships) counts.set(predicate, (counts.get(predicate) ?? 0) + 1);
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const rest = ranked.slice(MOST_PREDICATES).reduce((sum, [, count]) => sum + count, 0);
  const named = ranked.slice(0, MOST_PREDICATES).map(([name, count]) => [name.slice(0, 100), count] as const);
  return Object.fromEntries(rest === 0 ? named : [...named, [OTHER_PREDICATES, rest]]);
}

/** Beyond these nothing is looked up: it would take longer than a service, or whoever else is served, can wait. */
export const LONGEST_VERIFIED_TEXT = 50_000;
const MOST_VERIFIED_CONCEPTS = 1_000;

/** Holds an output against its text: quotes that do not stand in it, and concepts that it never mentions. */
function verifyOutput(text: string, output: ExtractionOutput): Verified {
  const { concepts, withoutQuotes } = output;
  if (concepts.length === 0) return {};
  if (text.length > LONGEST_VERIFIED_TEXT || concepts.length > MOST_VERIFIED_CONCEPTS) return {};
  const searched = searchable(text);
  const index = indexText(text);
  let [given, verified, unmentioned] = [0, 0, 0];
  for (const concept of concepts) {
    const { label, aliases = [], sourceQuote } = concept;
    const names = [label, ...aliases];
    const check = placed(verifyQuote(sourceQuote, searched, label), text, names);
    if (check.state !== 'none') given += 1;
    if (check.state === 'verified') verified += 1;
    if (check.state === 'verified' && check.unnamed === undefined) continue;
    if (!names.some((name) => isMentioned(index, name))) unmentioned += 1;
  }
  return {
    ...(withoutQuotes !== true && { quotes: { given, verified } }),
    unmentioned: { concepts: concepts.length, unmentioned },
  };
}
