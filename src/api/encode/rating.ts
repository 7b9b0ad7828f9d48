import type { z } from 'zod';
import type { Rating } from '../../store/store.ts';
import type { rating as schema } from '../schema/rating.ts';

export function encodeRating(rating: Rating): z.infer<typeof schema> {
  const { ratingId, kind, subjectId, author, note, at } = rating;
  return {
    version: 1,
    id: ratingId,
    kind,
    subject_id: subjectId,
    author,
    rating: rating.rating,
    note: note ?? null,
    at,
  };
}
