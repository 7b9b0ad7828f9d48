/** What of a session becomes scores elsewhere: figures and names of ours, never what was said in it. */
import type { SessionEventWire } from '../../api/schema/session-event.ts';
import { FORMATS } from '../../session/ingest/formats/formats.ts';

export type ScoreFigure = {
  /** The same everywhere and for good: dashboards go by it. */
  readonly name: 'assay.session_quality' | 'assay.session_outcome';
  readonly value: number;
  /** The tier, of the quality. */
  readonly label?: string;
  readonly explanation?: string;
};

/** Only what was measured: no score is sent for what nobody knows. */
export function scoreFigures({ q, tier, why, outcome }: SessionEventWire): ScoreFigure[] {
  return [
    ...(q === null
      ? []
      : [
          {
            name: 'assay.session_quality' as const,
            value: q,
            ...(tier !== null && { label: tier }),
            ...(why !== '' && { explanation: why }),
          },
        ]),
    // Events that were noted by an earlier version have none.
    ...(typeof outcome === 'number' ? [{ name: 'assay.session_outcome' as const, value: outcome }] : []),
  ];
}

/** What a score can be looked up by where it is kept. */
export function scoreMetadata(event: SessionEventWire): Record<string, string | number> {
  return {
    session_key: event.session_key,
    revision: event.revision,
    task_type: event.task_type,
    coverage: event.coverage,
    ...(event.cost_usd !== null && { cost_usd: event.cost_usd }),
  };
}

/** What the service knows the session by: its name, or its trace where nothing else names it. */
export function scoreSubject({
  source,
  session_id,
}: SessionEventWire): { readonly trace: string } | { readonly session: string } {
  const trace = FORMATS.find(({ name }) => name === source)?.traceOf?.(session_id);
  return trace === undefined ? { session: session_id } : { trace };
}
