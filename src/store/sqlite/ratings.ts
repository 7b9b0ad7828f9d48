import type { Rating, RatingQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { RATINGS, readKeyed } from './keyed-records.ts';
import { Where } from './table.ts';

export function readRatings(connection: Connection, query: RatingQuery): Rating[] {
  const { latest } = query;
  const where = new Where()
    .and('kind = ?', query.kind)
    .and('subject_id = ?', query.subjectId)
    .and('author = ?', query.author)
    .when(latest === 'per subject', noLater(''))
    .when(latest === 'per author', noLater('AND later.author = rating.author'));
  return readKeyed<Rating>(connection, RATINGS, where, query);
}

function noLater(same: string): string {
  return `NOT EXISTS (
    SELECT 1 FROM rating AS later WHERE later.kind = rating.kind AND later.subject_id = rating.subject_id ${same}
      AND (later.at, later.rating_id) > (rating.at, rating.rating_id)
  )`;
}
