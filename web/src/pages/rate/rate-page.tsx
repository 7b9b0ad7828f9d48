/** Rates a session without its score: the request, what happened, and a form. Q is shown after saving. */
import { useState } from 'preact/hooks';
import { formatScore } from '../../../../src/report/number.ts';
import { post } from '../../api/client.ts';
import type { ListedSession, PageOf, SessionRated } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Choices } from '../../parts/choices.tsx';
import { Form, TextField, useSending } from '../../parts/form.tsx';
import { TierPill } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import type { PageProps } from '../../routes.ts';
import { Transcript } from '../session/transcript.tsx';
import { sessionName, shortName } from '../sessions/session-filters.ts';

const SCALE = [
  { value: '1', name: 'useless or harmful' },
  { value: '2', name: 'poor' },
  { value: '3', name: 'acceptable' },
  { value: '4', name: 'good' },
  { value: '5', name: 'just what was wanted' },
];
const FIRST_LINES = { from: 1, to: 40 };

export function RatePage({ params: { key = '' } }: PageProps) {
  const { data } = useResource<PageOf<ListedSession>>('sessions', { search: key, titles: 'true', limit: 1 });
  const [rated, setRated] = useState<SessionRated>();
  const one = data?.items[0];
  const place = [one?.project == null ? undefined : shortName(one.project), one?.model, one?.agent];
  return (
    <Page
      title={one === undefined ? 'Rate a session' : `Rate: ${sessionName(one)}`}
      lead={
        rated === undefined ? (
          'How good was the work? Its score is not shown until you have saved, so that it cannot sway you.'
        ) : (
          <Saved rated={rated} />
        )
      }
    >
      <p class="sub facts">{place.filter((part) => typeof part === 'string').join(' · ')}</p>
      {rated === undefined ? (
        <RatingForm id={key} onSaved={setRated} />
      ) : (
        <p class="row">
          <a class="chip on" href="/rate">
            Rate another
          </a>
          <a class="chip" href={`/sessions/${encodeURIComponent(key)}`}>
            See why
          </a>
          <a class="chip" href="/calibration">
            Calibration
          </a>
        </p>
      )}
      <Transcript id={key} line={undefined} start={FIRST_LINES} />
    </Page>
  );
}

function Saved({ rated: { q, tier, verified, rating, feedback } }: { readonly rated: SessionRated }) {
  const said = rating === null ? `thumb ${feedback?.thumb ?? ''}` : `${rating.rating} of 5`;
  return (
    <span role="status">
      Saved: <b>{said}</b>. Its Q is <b>{q === null ? 'unmeasured' : formatScore(q)}</b>{' '}
      <TierPill tier={tier} verified={verified} />
    </span>
  );
}

function RatingForm({
  id,
  onSaved,
}: {
  readonly id: string;
  readonly onSaved: (rated: SessionRated) => void;
}) {
  const [given, setGiven] = useState({ rating: '', thumb: '' });
  const [note, setNote] = useState('');
  const sending = useSending();
  const save = () =>
    sending.send(async () => {
      const body = {
        ...(given.rating !== '' && { rating: Number(given.rating) }),
        ...(given.thumb !== '' && { thumb: given.thumb }),
        ...(note.trim() !== '' && { note: note.trim() }),
      };
      onSaved(await post<SessionRated>(`sessions/${encodeURIComponent(id)}/ratings`, body));
    });
  return (
    <Card title="Your rating">
      <Form
        sending={sending}
        submit="Save and see its Q"
        disabled={given.rating === '' && given.thumb === ''}
        onSubmit={save}
      >
        <Choices
          label="How good was it?"
          name="rating"
          choices={SCALE}
          onChoose={(rating) => setGiven({ ...given, rating })}
        />
        <Choices
          label="Would you have it do this again?"
          name="thumb"
          choices={[
            { value: 'up', name: 'thumb up' },
            { value: 'down', name: 'thumb down' },
          ]}
          onChoose={(thumb) => setGiven({ ...given, thumb })}
        />
        <TextField
          label="Why, in a few words (may be left out)"
          value={note}
          rows={2}
          maxLength={4000}
          onType={setNote}
        />
      </Form>
    </Card>
  );
}
