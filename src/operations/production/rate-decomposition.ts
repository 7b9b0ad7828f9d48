import { hash } from 'node:crypto';
import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
import { tryReadOutput } from '../../decomposition/ingest/outputs/read-foreign.ts';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import {
  conceptSubject,
  RATED_CONCEPT,
  RATED_FABRICATION,
  RATED_MISSING,
  RATED_WHOLE,
  requestOf,
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
  /** Labels of concepts that it lacks; an empty list: somebody looked, and nothing is missing. */
  readonly missing?: readonly string[] | undefined;
  readonly author: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export async function rateDecomposition(
  request: RateDecompositionRequest,
  ports: Ports,
): Promise<readonly Rating[]> {
  const { author, environment } = request;
  const missing = request.missing && [...new Set(request.missing)];
  const store = await ports.store();
  const record = await findRequest(store, request.id, request.project);
  if (record === undefined)
    throw new AssayError('DECOMPOSITION_NOT_FOUND', `there is no recorded request "${request.id}"`);
  const { id } = record;
  const at = ports.now().toISOString();
  const rate = (kind: string, subjectId: string, said: boolean | number, reason?: string): Rating => ({
    ratingId: ports.newId(),
    kind,
    subjectId,
    author,
    rating: Number(said),
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
    ...(missing === undefined
      ? []
      : [
          rate(RATED_MISSING, id, missing.length),
          ...missing.map((label) => rate(RATED_MISSING, conceptSubject(id, label), 1)),
        ]),
  ];
  await store.appendRatings(ratings);
  return ratings;
}

export type RatingQueueRequest = {
  /** Who rates: what they rated does not wait for them. */
  readonly author: string;
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
  /** Sampled requests of these days that wait for this rater, and all of them. */
  readonly open: number;
  readonly sampled: number;
};

const DAY_MS = 86_400_000;

/** One request of so many is rated by two people, so that their agreement is known. */
const SECOND_RATER_EVERY = 5;

/**
 * Sampled requests that wait for a rater, in a random but stable order: a rater who stops early has still rated a fair
 * sample.
 */
export async function ratingQueue(
  { author, days, limit, id, project, map }: RatingQueueRequest,
  ports: Ports,
): Promise<RatingQueue> {
  const store = await ports.store('looking');
  const since = new Date(ports.now().getTime() - days * DAY_MS).toISOString();
  const sampled =
    id === undefined
      ? await store.readDecompositions({ since, sampledOnly: true })
      : [await findRequest(store, id, project)].filter((one) => one !== undefined);
  const ratings = await store.readRatings({ kind: RATED_WHOLE, latest: true, since });
  const raters = Map.groupBy(ratings, ({ subjectId }) => requestOf(subjectId));
  const waits = (record: DecompositionRecord) => {
    const by = raters.get(record.id) ?? [];
    return by.length < ratersOf(record) && by.every((one) => one.author !== author);
  };
  const open = sampled.filter((record) => id !== undefined || waits(record));
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

/** By other digits than the order, so that those with two raters come at any place. */
function ratersOf(record: DecompositionRecord): number {
  return Number.parseInt(placeOf(record).slice(-8), 16) % SECOND_RATER_EVERY === 0 ? 2 : 1;
}
