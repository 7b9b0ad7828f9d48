/** Turns a session into scores for other services: numbers and our own names, never transcript text. */
import type { SessionEventWire } from '../../api/schema/session-event.ts';
import { FORMATS } from '../../session/ingest/formats/formats.ts';
import { postScore } from '../deliveries/post-score.ts';

export type ScoreFigure = {
  /** Never changes, because dashboards depend on it. */
  readonly name: 'assay.session_quality' | 'assay.session_outcome';
  readonly value: number;
  /** The tier, for the quality score. */
  readonly label?: string;
  readonly explanation?: string;
};

/** Measured values only: nothing is sent for an unmeasured score. */
export function scoreFigures({ q, tier, headline, outcome }: SessionEventWire): ScoreFigure[] {
  return [
    ...(q === null
      ? []
      : [
          {
            name: 'assay.session_quality' as const,
            value: q,
            ...(tier !== null && { label: tier }),
            ...(headline !== '' && { explanation: headline }),
          },
        ]),
    // Events stored by an earlier version have none.
    ...(typeof outcome === 'number' ? [{ name: 'assay.session_outcome' as const, value: outcome }] : []),
  ];
}

/** Metadata to find the score by in the receiving service. */
function scoreMetadata(event: SessionEventWire): Record<string, string | number> {
  return {
    session_key: event.session_key,
    revision: event.revision,
    task_type: event.task_type,
    coverage: event.coverage,
    ...(event.verified !== null && { verified: event.verified }),
    ...(event.cost_usd !== null && { cost_usd: event.cost_usd }),
  };
}

/** How the service identifies the session: by its name, or by its trace where there is no name. */
function scoreSubject({
  source,
  session_id,
}: SessionEventWire): { readonly trace: string } | { readonly session: string } {
  const trace = FORMATS.find(({ name }) => name === source)?.traceOf?.(session_id);
  return trace === undefined ? { session: session_id } : { trace };
}

type Value = { readonly stringValue: string } | { readonly doubleValue: number };

type Attributes = readonly (readonly [string, Value | undefined])[];

/** A request to `/v1/logs`, as JSON. Only our own texts and numbers, and the names of the session. */
export function evaluationRequest(event: SessionEventWire): object {
  const quality: Attributes = [
    ['gen_ai.evaluation.name', text('assay.session_quality')],
    ['gen_ai.evaluation.score.value', event.q === null ? undefined : { doubleValue: event.q }],
    ['gen_ai.evaluation.score.label', text(event.tier ?? 'not measured')],
    ['assay.verified', event.verified === null ? undefined : text(event.verified)],
    ['gen_ai.evaluation.explanation', event.headline === '' ? undefined : text(event.headline)],
  ];
  // Events stored by an earlier version have none.
  const outcome: readonly Attributes[] =
    typeof event.outcome === 'number'
      ? [
          [
            ['gen_ai.evaluation.name', text('assay.session_outcome')],
            ['gen_ai.evaluation.score.value', { doubleValue: event.outcome }],
          ],
        ]
      : [];
  const records = [quality, ...outcome].map((evaluation) => recordOf(event, evaluation));
  return {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: text('assay') }] },
        scopeLogs: [{ scope: { name: 'assay' }, logRecords: records }],
      },
    ],
  };
}

function recordOf(event: SessionEventWire, evaluation: Attributes): object {
  const nanoseconds = `${Date.parse(event.at)}000000`;
  const attributes: Attributes = [
    ...evaluation,
    ['gen_ai.conversation.id', text(event.session_id)],
    ['gen_ai.agent.name', event.agent === null ? undefined : text(event.agent)],
    ['gen_ai.request.model', event.model === null ? undefined : text(event.model)],
    ['assay.event.id', text(event.event_id)],
    ['assay.session.key', text(event.session_key)],
    ['assay.session.cost_usd', event.cost_usd === null ? undefined : { doubleValue: event.cost_usd }],
    ['assay.session.coverage', { doubleValue: event.coverage }],
    ['assay.session.task_type', text(event.task_type)],
  ];
  return {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    severityNumber: 9,
    eventName: 'gen_ai.evaluation.result',
    attributes: attributes.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }])),
  };
}

function text(value: string): Value {
  return { stringValue: value };
}

export type LangfuseAccess = { readonly url: string; readonly publicKey: string; readonly secretKey: string };

type LangfuseScore = {
  readonly id: string;
  readonly traceId?: string;
  readonly sessionId?: string;
  readonly name: string;
  readonly value: number | string;
  readonly dataType: 'NUMERIC' | 'CATEGORICAL';
  readonly comment?: string;
  readonly metadata: Readonly<Record<string, string | number>>;
};

/** The same score of the same session has the same id, so that a later one replaces it and none is duplicated. */
function langfuseScores(event: SessionEventWire): LangfuseScore[] {
  const of = scoreSubject(event);
  const about = {
    ...('trace' in of ? { traceId: of.trace } : { sessionId: of.session }),
    metadata: scoreMetadata(event),
  };
  const id = (name: string) => `${name}-${event.session_key}`;
  return scoreFigures(event).flatMap(({ name, value, label, explanation }): LangfuseScore[] => [
    {
      ...about,
      id: id(name),
      name,
      value,
      dataType: 'NUMERIC',
      ...(explanation !== undefined && { comment: explanation }),
    },
    ...(label === undefined
      ? []
      : [
          {
            ...about,
            id: id('assay.session_tier'),
            name: 'assay.session_tier',
            value: label,
            dataType: 'CATEGORICAL' as const,
          },
        ]),
  ]);
}

export async function sendToLangfuse(
  { url, publicKey, secretKey }: LangfuseAccess,
  event: SessionEventWire,
  signal: AbortSignal,
): Promise<void> {
  const address = `${url.replace(/\/$/, '')}/api/public/scores`;
  const key = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`;
  await Promise.all(langfuseScores(event).map((score) => postScore(address, score, key, signal)));
}

/** Without a key if the service needs none. */
export type PhoenixAccess = { readonly url: string; readonly key?: string | undefined };

/** An annotation with the same name and identifier replaces the previous one. */
const IDENTIFIER = 'assay';

function phoenixAnnotations(event: SessionEventWire): {
  readonly path: string;
  readonly body: { readonly data: readonly object[] };
} {
  const of = scoreSubject(event);
  const data = scoreFigures(event).map(({ name, value, label, explanation }) => ({
    ...('trace' in of ? { trace_id: of.trace } : { session_id: of.session }),
    name,
    annotator_kind: 'CODE',
    result: {
      score: value,
      label,
      explanation,
    },
    metadata: scoreMetadata(event),
    identifier: IDENTIFIER,
  }));
  return { path: 'trace' in of ? '/v1/trace_annotations' : '/v1/session_annotations', body: { data } };
}

export async function sendToPhoenix(
  { url, key }: PhoenixAccess,
  event: SessionEventWire,
  signal: AbortSignal,
): Promise<void> {
  const { path, body } = phoenixAnnotations(event);
  if (body.data.length === 0) return;
  const authorization = key === undefined ? undefined : `Bearer ${key}`;
  await postScore(`${url.replace(/\/$/, '')}${path}`, body, authorization, signal);
}
