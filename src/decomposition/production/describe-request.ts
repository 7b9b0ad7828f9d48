import { AssayError } from '../../errors.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import type { OutputMap } from '../ingest/outputs/output-map.ts';
import { readForeign } from '../ingest/outputs/read-foreign.ts';
import { countOutput, describeText, verifyOutput } from './describe-output.ts';
import type { DecompositionRecord } from './record.ts';
import type { Sampler } from './sample.ts';

/** A request as somebody saw it: what its record leaves open is counted from the text and the output. */
export type SeenRequest = {
  readonly record: DecompositionRecord;
  readonly text?: string | undefined;
  readonly output?: unknown;
};

/** What is kept of a request. What the record says already is taken as it is; without a sampler nothing more is drawn. */
export function describeRequest(
  { record, text, output: given }: SeenRequest,
  map: OutputMap,
  sampler?: Sampler,
): DecompositionRecord {
  const output = given === undefined || given === null ? undefined : readAny(given, map);
  const isFaulty = output instanceof AssayError;
  const counted: DecompositionRecord = {
    ...(text !== undefined && describeText(text)),
    ...(output !== undefined && !isFaulty && { ...factsOf(output), ...countOutput(output) }),
    ...record,
    ...(isFaulty && { status: 'error', errorKind: record.errorKind ?? 'unreadable output' }),
  };
  const sample = record.sample ?? drawn(counted, sampler);
  if (sample === undefined) return counted;
  const isSeen = text !== undefined && output !== undefined && !isFaulty && record.unmentioned === undefined;
  return { ...counted, sample, ...(isSeen && verifyOutput(text, output)) };
}

function readAny(output: unknown, map: OutputMap): ExtractionOutput | AssayError {
  try {
    return readForeign(output, map, 'the output').output;
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
}

function factsOf({
  latencyMs,
  costUsd,
  model,
  promptVersion,
}: ExtractionOutput): Partial<DecompositionRecord> {
  return {
    latencyMs,
    costUsd,
    ...(model && { model }),
    ...(promptVersion && { promptVersion }),
  };
}

/** Nobody can rate an answer that was none. */
function drawn(record: DecompositionRecord, sampler: Sampler | undefined): DecompositionRecord['sample'] {
  if (record.status === 'error') return undefined;
  const { id, topic, confidence } = record;
  const mean = confidence === undefined || confidence.n === 0 ? undefined : confidence.sum / confidence.n;
  return sampler?.draw({ id, topic, confidence: mean });
}
