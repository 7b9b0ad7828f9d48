import type { z } from 'zod';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import type { sentDecomposition } from '../schema/decomposition-record.ts';

export type SentDecomposition = z.output<typeof sentDecomposition>;

/** Without `text` and `output`, which are no part of it. */
export function decodeDecomposition(sent: SentDecomposition): DecompositionRecord {
  const { experiment } = sent;
  return dropAbsent({
    id: sent.id,
    at: new Date(sent.at).toISOString(),
    status: sent.status,
    errorKind: sent.error_kind,
    latencyMs: sent.latency_ms,
    costUsd: sent.cost_usd,
    inputTokens: sent.input_tokens,
    outputTokens: sent.output_tokens,
    model: sent.model,
    promptVersion: sent.prompt_version,
    topic: sent.topic,
    textHash: sent.text_hash,
    textLength: sent.text_length,
    concepts: sent.concepts,
    relationships: sent.relationships,
    confidence: sent.confidence,
    predicates: sent.predicates,
    sample: sent.sample,
    quotes: sent.quotes,
    unmentioned: sent.unmentioned,
    experiment: experiment && { id: experiment.id, arm: experiment.arm, keyHash: experiment.key_hash },
    project: sent.project,
  });
}

export function encodeDecomposition(record: DecompositionRecord): SentDecomposition {
  const { confidence, experiment, predicates, sample, quotes, unmentioned } = record;
  return dropAbsent({
    id: record.id,
    at: record.at,
    status: record.status,
    error_kind: record.errorKind,
    latency_ms: record.latencyMs,
    cost_usd: record.costUsd,
    input_tokens: record.inputTokens,
    output_tokens: record.outputTokens,
    model: record.model,
    prompt_version: record.promptVersion,
    topic: record.topic,
    text_hash: record.textHash,
    text_length: record.textLength,
    concepts: record.concepts,
    relationships: record.relationships,
    confidence: confidence && { ...confidence, bins: [...confidence.bins] },
    predicates: predicates && { ...predicates },
    sample: sample && { ...sample },
    quotes: quotes && { ...quotes },
    unmentioned: unmentioned && { ...unmentioned },
    experiment: experiment && { id: experiment.id, arm: experiment.arm, key_hash: experiment.keyHash },
    project: record.project,
  });
}

/** Keys without a value would be kept as such. */
function dropAbsent<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
