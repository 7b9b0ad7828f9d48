/** Requests of a service that is instrumented with OpenTelemetry, from its spans. */
import type { ReceivedRequest } from '../../decomposition/production/describe-request.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import type { OtlpSpan } from '../../session/ingest/formats/otlp/span.ts';

const OWN = 'assay.decomposition.';

/** Undefined: it says not when it was. */
export function requestOfSpan({
  traceId,
  spanId,
  start,
  end,
  status,
  attributes,
}: OtlpSpan): ReceivedRequest | undefined {
  if (start === undefined) return undefined;
  const text = (name: string) => textIn(attributes.get(name));
  const own = (name: string) => text(`${OWN}${name}`);
  const number = (name: string) => numberIn(attributes.get(name));
  const isError = status === 'error';
  const experiment = experimentOf(own);
  const record: DecompositionRecord = {
    id: own('id')?.replaceAll(/[#\s]/g, '-') ?? `${traceId}-${spanId.split(' ', 1)[0]}`,
    at: new Date(start).toISOString(),
    status: isError ? 'error' : 'ok',
    ...(isError && { errorKind: text('error.type') ?? 'unknown' }),
    ...present({
      latencyMs: end === undefined || end < start ? undefined : end - start,
      costUsd: number(`${OWN}cost_usd`),
      inputTokens: number('gen_ai.usage.input_tokens'),
      outputTokens: number('gen_ai.usage.output_tokens'),
      model: text('gen_ai.response.model') ?? text('gen_ai.request.model'),
      promptVersion: own('prompt_version'),
      topic: own('topic'),
      concepts: number(`${OWN}concepts`),
      relationships: number(`${OWN}relationships`),
      experiment,
      project: text('assay.project'),
    }),
  };
  return { record, text: own('text'), output: isError ? undefined : own('output') };
}

function experimentOf(own: (name: string) => string | undefined): DecompositionRecord['experiment'] {
  const [id, arm, keyHash] = [own('experiment.id'), own('experiment.arm'), own('experiment.key_hash')];
  return id === undefined || arm === undefined || keyHash === undefined ? undefined : { id, arm, keyHash };
}

const LONGEST_NAME = 200;

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

function present<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, LONGEST_NAME) : value]),
  ) as Partial<T>;
}
