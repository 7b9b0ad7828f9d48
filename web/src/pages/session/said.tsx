import type { SessionRatings } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { When } from '../../parts/when.tsx';

/** What people said of it. */
export function Said({ id }: { readonly id: string }) {
  const path = `sessions/${encodeURIComponent(id)}`;
  const said = useResource<SessionRatings>(`${path}/ratings`, {}, ['rating.saved']);
  return (
    <Card title="What people said" aside={<a href={`/${path}/rate`}>Rate it →</a>}>
      <Show of={said} rows={2}>
        {({ ratings, feedback }) =>
          ratings.length + feedback.length === 0 ? (
            <Empty>Nobody rated it yet. Ratings are what Q is held against.</Empty>
          ) : (
            <ul class="opinions">
              {ratings.map(({ id: key, rating, author, note, at }) => (
                <li key={key}>
                  <b>{rating} of 5</b> <span class="sub">{author}</span> <When at={at} /> {note}
                </li>
              ))}
              {feedback.map(({ id: key, thumb, author, comment, at }) => (
                <li key={key}>
                  <b>{thumb === 'up' ? 'thumb up' : 'thumb down'}</b> <span class="sub">{author}</span>{' '}
                  <When at={at} /> {comment}
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Card>
  );
}
