import { z } from 'zod';
import { rating as ratingRecord } from '../../store/schema/records.ts';
import { from, wireShape } from '../wire.ts';

const { rating_id: id, project: _, ...facts } = wireShape(ratingRecord.shape);

/** What a person or a named model says of something. */
export const rating = z.strictObject({
  version: z.literal(1),
  id: from('ratingId', id),
  ...facts,
});
