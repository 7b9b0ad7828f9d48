import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
import {
  describeRequest,
  LONGEST_VERIFIED_TEXT,
  type ReceivedRequest,
} from '../../decomposition/production/describe-request.ts';
import {
  type DecompositionRecord,
  type DecompositionText,
  requestKey,
} from '../../decomposition/production/record.ts';
import { Sampler } from '../../decomposition/production/sample.ts';
import { maskText } from '../../secrets.ts';
import type { Json } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { recordsById } from './watched-decompositions.ts';

export type RecordRequest = {
  readonly received: readonly ReceivedRequest[];
  readonly map: OutputMap;
  /** Samples new requests; without it none is sampled. */
  readonly sampler?: Sampler | undefined;
  /** Whether to store texts and outputs of sampled requests. */
  readonly keepText: boolean;
  /** Keys in it are masked before text is stored. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export type Recorded = {
  readonly added: number;
  readonly known: number;
  readonly sampled: number;
  /** They said to be from the future, and were recorded as made when they came. */
  readonly ahead: number;
};

/** One for as long as requests come: what it draws depends on what it has seen. */
export function openSampler({ sampleRate: rate, seed }: { sampleRate: number; seed: number }): Sampler {
  return new Sampler({ rate, seed });
}

/** Keeps requests of a decomposition service, each once. */
export async function recordDecompositions(request: RecordRequest, ports: Ports): Promise<Recorded> {
  const store = await ports.store();
  const received = request.received.map((one) => ({
    ...one,
    record: { ...one.record, id: requestKey(one.record.project, one.record.id) },
  }));
  // Sampling depends on what came before, so a known request must not be sampled again.
  const known = await recordsById(
    store,
    received.map(({ record }) => record.id),
  );
  const fresh = [...new Map(received.map((one) => [one.record.id, one])).values()].filter(
    ({ record }) => !known.has(record.id) || record.sample !== undefined,
  );
  const now = ports.now().toISOString();
  const ahead = fresh.filter(({ record }) => record.at > now).length;
  const made = fresh.map((one) => describe(notAhead(one, known.get(one.record.id)?.at ?? now), request));
  const texts = made.flatMap(({ text }) => text ?? []);
  const { added } = await store.appendDecompositions(
    made.map(({ record }) => record),
    texts,
  );
  const sampled = made.filter(({ record }) => record.sample !== undefined && !known.has(record.id)).length;
  return { added, known: received.length - added, sampled, ahead };
}

/**
 * Limits a time to when the request first arrived: a sender whose clock is ahead must not fill minutes in the future,
 * which would count as the latest.
 */
function notAhead(one: ReceivedRequest, came: string): ReceivedRequest {
  return one.record.at > came ? { ...one, record: { ...one.record, at: came } } : one;
}

type Described = { readonly record: DecompositionRecord; readonly text?: DecompositionText };

function describe(received: ReceivedRequest, request: RecordRequest): Described {
  const { text } = received;
  const described = describeRequest(received, request.map, request.sampler);
  const record = { ...described, ...maskedNames(described, request.environment) };
  const isStored =
    request.keepText &&
    text !== undefined &&
    text.length <= LONGEST_VERIFIED_TEXT &&
    record.sample !== undefined;
  return isStored ? { record, text: storedText(received, text, request) } : { record };
}

function maskedNames(
  { topic, errorKind, sample }: DecompositionRecord,
  environment: RecordRequest['environment'],
) {
  return {
    ...(topic !== undefined && { topic: maskText(topic, environment) }),
    ...(errorKind !== undefined && { errorKind: maskText(errorKind, environment) }),
    // It begins with the topic.
    ...(sample !== undefined && { sample: { ...sample, stratum: maskText(sample.stratum, environment) } }),
  };
}

function storedText(
  { record: { id, at }, output }: ReceivedRequest,
  text: string,
  { environment }: RecordRequest,
): DecompositionText {
  return {
    id,
    at,
    text: maskText(text, environment),
    ...(output !== undefined && { output: masked(output, environment) }),
  };
}

/** Deeper than any output. */
const MAX_DEPTH = 40;

function masked(value: unknown, environment: RecordRequest['environment'], depth = 0): Json {
  if (typeof value === 'string') return maskText(value, environment);
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  if (depth === MAX_DEPTH) return '(deeper)';
  if (Array.isArray(value)) return value.map((one) => masked(one, environment, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, masked(one, environment, depth + 1)]),
  );
}
