import type { Rating, RatingQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { RATINGS, readKeyed } from './keyed-records.ts';
import { Where } from './table.ts';

export function readRatings(connection: Connection, query: RatingQuery): Rating[] {
  const where = new Where()
    .and('kind = ?', query.kind)
    .and('subject_id = ?', query.subjectId)
    .and('author = ?', query.author);
  if (query.latest !== undefined) narrowToLatest(where, query.latest, query);
  return readKeyed<Rating>(connection, RATINGS, where, query);
}

/** What others say of theirs, by whatever name, is no last word for those who do not see it. */
function narrowToLatest(where: Where, latest: NonNullable<RatingQuery['latest']>, query: RatingQuery): void {
  const seen = new Where().inProjects('later.project', query.inProjects);
  where.andAll(
    `NOT EXISTS (
      SELECT 1 FROM rating AS later WHERE later.kind = rating.kind AND later.subject_id = rating.subject_id
        ${latest === 'per author' ? 'AND later.author = rating.author' : ''}
        AND (later.at, later.rating_id) > (rating.at, rating.rating_id)${seen.sql.replace(' WHERE ', ' AND ')}
    )`,
    seen.values,
  );
}
