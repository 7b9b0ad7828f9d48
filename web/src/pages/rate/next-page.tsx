import { useEffect } from 'preact/hooks';
import type { ListedSession, PageOf, RatingPage } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, Loading, ProblemNote } from '../../parts/states.tsx';
import { go } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { chance, pickToRate } from './pick-to-rate.ts';

const LOOKED_AT = 200;

/** Leads to a session that waits for a rating. */
export function NextPage(_: PageProps) {
  const sessions = useResource<PageOf<ListedSession>>('sessions', { limit: LOOKED_AT });
  const ratings = useResource<RatingPage>('ratings', { limit: LOOKED_AT });
  const [items, said] = [sessions.data?.items, ratings.data?.items];
  const problem = sessions.problem ?? ratings.problem;
  const isReady = items !== undefined && said !== undefined && !sessions.loading && !ratings.loading;
  const picked = isReady
    ? pickToRate(items, new Set(said.map(({ subject_id }) => subject_id)), chance)
    : undefined;
  useEffect(() => {
    if (picked !== undefined) go(`/sessions/${encodeURIComponent(picked.session_key)}/rate`, 'replace');
  }, [picked]);
  return (
    <Page title="Rate a session">
      {problem !== undefined ? (
        <ProblemNote problem={problem} retry={() => location.reload()} />
      ) : isReady && picked === undefined ? (
        <Empty command="assay sessions score">
          {items.length === 0
            ? 'No session is stored yet, so there is none to rate. This scores those of this machine:'
            : `Every session of the newest ${LOOKED_AT} that has a score is rated. New ones come with`}
        </Empty>
      ) : (
        <Loading rows={6} />
      )}
    </Page>
  );
}
