import { hash } from 'node:crypto';
import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
import { tryReadOutput } from '../../decomposition/ingest/outputs/read-foreign.ts';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import {
  conceptSubject,
  RATED_CONCEPT,
  RATED_FABRICATION,
  RATED_WHOLE,
} from '../../decomposition/production/watched.ts';
import { AssayError } from '../../errors.ts';
import { maskText } from '../../secrets.ts';
import type { Rating } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findRequest } from './find-request.ts';

export type RateDecompositionRequest = {
  readonly id: string;
  /** In which it was made, where nothing else says so. */
  readonly project?: string | undefined;
  /** Of the whole. */
  readonly acceptable: boolean;
  readonly reason?: string | undefined;
  readonly concepts: readonly {
    readonly label: string;
    readonly acceptable: boolean;
    /** The text says nothing of it. */
    readonly fabricated?: boolean | undefined;
    readonly reason?: string | undefined;
  }[];
  /** Something in it was made up, whichever concept it is. */
  readonly fabricated?: boolean | undefined;
  readonly author: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export async function rateDecomposition(
  request: RateDecompositionRequest,
  ports: Ports,
): Promise<readonly Rating[]> {
  const { author, environment } = request;
  const store = await ports.store();
  const record = await findRequest(store, request.id, request.project);
  if (record === undefined)
    throw new AssayError('DECOMPOSITION_NOT_FOUND', `there is no recorded request "${request.id}"`);
  const { id } = record;
  const at = ports.now().toISOString();
  const rate = (kind: string, subjectId: string, yes: boolean, reason?: string): Rating => ({
    ratingId: ports.newId(),
    kind,
    subjectId,
    author,
    rating: yes ? 1 : 0,
    ...(reason !== undefined && reason !== '' && { note: maskText(reason, environment) }),
    at,
    ...(record.project !== undefined && { project: record.project }),
  });
  const ratings = [
    rate(RATED_WHOLE, id, request.acceptable, request.reason),
    ...(request.fabricated === undefined ? [] : [rate(RATED_FABRICATION, id, request.fabricated)]),
    ...request.concepts.flatMap(({ label, acceptable, fabricated, reason }) => [
      rate(RATED_CONCEPT, conceptSubject(id, label), acceptable, reason),
      ...(fabricated === undefined ? [] : [rate(RATED_FABRICATION, conceptSubject(id, label), fabricated)]),
    ]),
  ];
  await store.appendRatings(ratings);
  return ratings;
}

export type RatingQueueRequest = {
  /** Requests of the last so many days. */
  readonly days: number;
  readonly limit: number;
  /** Only this one, rated or not. */
  readonly id?: string | undefined;
  /** In which it was made, where nothing else says so. */
  readonly project?: string | undefined;
  /** How outputs of a shape of their own are read. */
  readonly map: OutputMap;
};

export type QueuedDecomposition = {
  readonly record: DecompositionRecord;
  /** Absent: it was not stored or was deleted. */
  readonly text?: DecompositionText;
  readonly concepts: readonly { readonly label: string; readonly quote?: string }[];
};

export type RatingQueue = {
  readonly items: readonly QueuedDecomposition[];
  /** Sampled requests of these days that are not rated, and all of them. */
  readonly open: number;
  readonly sampled: number;
};

const DAY_MS = 86_400_000;

/**
 * Sampled requests without a rating, in a random but stable order: a rater who stops early has still rated a fair
 * sample.
 */
export async function ratingQueue(
  { days, limit, id, project, map }: RatingQueueRequest,
  ports: Ports,
): Promise<RatingQueue> {
  const store = await ports.store('looking');
  const since = new Date(ports.now().getTime() - days * DAY_MS).toISOString();
  const sampled =
    id === undefined
      ? await store.readDecompositions({ since, sampledOnly: true })
      : [await findRequest(store, id, project)].filter((one) => one !== undefined);
  const ratings = await store.readRatings({ kind: RATED_WHOLE, since });
  const rated = new Set(ratings.map(({ subjectId }) => subjectId));
  const open = sampled.filter((record) => id !== undefined || !rated.has(record.id));
  const items: QueuedDecomposition[] = [];
  for (const record of open.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).slice(0, limit)) {
    const text = await store.readDecompositionText(record.id);
    items.push({ record, ...(text && { text }), concepts: conceptsIn(text, map) });
  }
  return { items, open: open.length, sampled: sampled.length };
}

function conceptsIn(text: DecompositionText | undefined, map: OutputMap): QueuedDecomposition['concepts'] {
  const read = text?.output === undefined ? undefined : tryReadOutput(text.output, map);
  // The mapping may have changed since it was recorded.
  if (read === undefined || read instanceof AssayError) return [];
  return read.concepts.map(({ label, sourceQuote }) => ({ label, quote: sourceQuote }));
}

function placeOf({ id }: DecompositionRecord): string {
  return hash('sha256', id);
}
