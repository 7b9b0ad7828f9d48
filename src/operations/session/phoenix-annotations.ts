/** The scores of a session as Phoenix takes them (`POST /v1/session_annotations`, `POST /v1/trace_annotations`). */
import type { SessionEventWire } from '../../api/schema/session-event.ts';
import { postScore } from '../deliveries/post-score.ts';
import { scoreFigures, scoreMetadata, scoreSubject } from './score-figures.ts';

/** Without a key where it asks for none. */
export type PhoenixAccess = { readonly url: string; readonly key?: string | undefined };

/** An annotation with the same name and identifier takes the place of the one before. */
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
