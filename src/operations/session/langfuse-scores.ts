/** The scores of a session as Langfuse takes them (`POST /api/public/scores`). */
import type { SessionEventWire } from '../../api/schema/session-event.ts';
import { postScore } from '../deliveries/post-score.ts';
import { scoreFigures, scoreMetadata, scoreSubject } from './score-figures.ts';

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

/** The same score of the same session has the same id, so that a later one takes its place and none is there twice. */
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
