/** A score as the GenAI conventions of OpenTelemetry tell it: a log record with the name `gen_ai.evaluation.result`. */
import type { SessionEventWire } from '../../api/schema/session-event.ts';

type Value = { readonly stringValue: string } | { readonly doubleValue: number };

type Attributes = readonly (readonly [string, Value | undefined])[];

/** A request to `/v1/logs`, as JSON. Only texts and figures of ours, and the names of the session. */
export function evaluationRequest(event: SessionEventWire): object {
  const quality: Attributes = [
    ['gen_ai.evaluation.name', text('assay.session_quality')],
    ['gen_ai.evaluation.score.value', event.q === null ? undefined : { doubleValue: event.q }],
    ['gen_ai.evaluation.score.label', text(event.tier ?? 'not measured')],
    ['gen_ai.evaluation.explanation', event.why === '' ? undefined : text(event.why)],
  ];
  // Events that were noted by an earlier version have none.
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
