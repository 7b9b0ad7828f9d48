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
  /** Concepts that are said something of by themselves. */
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

/** What a person says of a request of production: of the whole, and of concepts of it. */
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
