/**
 * Stands in for Langfuse and Phoenix: accepts only what their published interfaces accept, and stores it as they do.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** `CreateScoreRequest` of Langfuse, with either a trace or a session. */
const langfuseScore = z
  .strictObject({
    id: z.string().min(1).max(200),
    traceId: z.string().min(1).optional(),
    sessionId: z.string().min(1).max(200).optional(),
    name: z.string().min(1),
    value: z.union([z.number(), z.string()]),
    dataType: z.enum(['NUMERIC', 'CATEGORICAL', 'BOOLEAN']),
    comment: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()),
  })
  .refine(({ traceId, sessionId }) => (traceId === undefined) !== (sessionId === undefined))
  .refine(({ value, dataType }) => (typeof value === 'number') === (dataType === 'NUMERIC'));

const annotation = {
  name: z.string().min(1),
  annotator_kind: z.enum(['LLM', 'CODE', 'HUMAN']),
  result: z.strictObject({
    label: z.string().nullish(),
    score: z.number().nullish(),
    explanation: z.string().nullish(),
  }),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  identifier: z.string(),
};

/** `SessionAnnotationData` and `TraceAnnotationData` of Phoenix. */
const BODIES: Readonly<Record<string, z.ZodType>> = {
  '/api/public/scores': langfuseScore,
  '/v1/session_annotations': z.strictObject({
    data: z.array(z.strictObject({ ...annotation, session_id: z.string().min(1) })).min(1),
  }),
  '/v1/trace_annotations': z.strictObject({
    data: z.array(z.strictObject({ ...annotation, trace_id: z.string().regex(/^[0-9a-f]{32}$/) })).min(1),
  }),
};

export const KEYS = {
  LANGFUSE_PUBLIC_KEY: 'pk-lf-1',
  LANGFUSE_SECRET_KEY: 'sk-lf-2',
  PHOENIX_API_KEY: 'px-3',
};

const ALLOWED: Readonly<Record<string, string>> = {
  '/api': `Basic ${Buffer.from('pk-lf-1:sk-lf-2').toString('base64')}`,
  '/v1/': 'Bearer px-3',
};

export type ReceivedScore = {
  readonly name: string;
  readonly of: string;
  readonly value: unknown;
  readonly comment?: unknown;
};

export type ScoreServers = {
  readonly url: string;
  /** Scores by their identity. */
  readonly kept: Map<string, ReceivedScore>;
  readonly requests: { readonly path: string; readonly status: number; readonly body: string }[];
  /** Status codes for the next requests, before the default. */
  readonly statuses: number[];
};

export async function startScoreServers(): Promise<ScoreServers> {
  const kept = new Map<string, ReceivedScore>();
  const requests: { path: string; status: number; body: string }[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path, body] = [request.url ?? '', Buffer.concat(chunks).toString()];
    const { status, said } = answerTo(path, body, request.headers.authorization);
    requests.push({ path, status, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end(said);
  });
  const answerTo = (path: string, body: string, key: string | undefined) => {
    const forced = statuses.shift();
    if (forced !== undefined) return { status: forced, said: '{}' };
    if (key !== ALLOWED[path.slice(0, 4)]) return { status: 401, said: '{}' };
    const parsed = BODIES[path]?.safeParse(JSON.parse(body));
    if (parsed?.success !== true) return { status: 400, said: JSON.stringify(parsed?.error?.issues ?? 'no') };
    keep(kept, path, JSON.parse(body));
    return { status: 200, said: '{"id":"x"}' };
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, kept, requests, statuses };
}

type Annotated = {
  readonly name: string;
  readonly identifier: string;
  readonly session_id?: string;
  readonly trace_id?: string;
  readonly result: { readonly score: unknown; readonly explanation?: unknown };
};

function keep(kept: Map<string, ReceivedScore>, path: string, body: Record<string, unknown>): void {
  if (path.startsWith('/api')) {
    const of = String(body.sessionId ?? `trace ${String(body.traceId)}`);
    kept.set(String(body.id), { name: String(body.name), of, value: body.value, comment: body.comment });
    return;
  }
  for (const { name, identifier, session_id, trace_id, result } of body.data as Annotated[]) {
    const of = session_id ?? `trace ${trace_id}`;
    kept.set(`${of} ${name} ${identifier}`, { name, of, value: result.score, comment: result.explanation });
  }
}
