import './overview.css';
import type { Overview } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Page } from '../../parts/page.tsx';
import { Show } from '../../parts/states.tsx';
import type { PageProps } from '../../routes.ts';
import { Attention } from './attention.tsx';
import { Changed } from './changed.tsx';
import { DecompositionCard } from './decomposition-card.tsx';
import { overviewAnswer } from './overview-answer.ts';
import { SessionsCard } from './sessions-card.tsx';
import { WorkflowCard } from './workflow-card.tsx';

const LIVE = ['session.scored', 'session.updated', 'run.stored', 'alert.changed'];

/** Three instruments at a glance, what needs attention, what changed: one screen. */
export function OverviewPage(_: PageProps) {
  const overview = useResource<Overview>('overview', { titles: 'true' }, LIVE);
  return (
    <Page
      title="Overview"
      live
      actions={<span class="sub">{periodWords(overview.data)}</span>}
      {...(overview.data && { lead: <Lead overview={overview.data} /> })}
    >
      <Show of={overview} rows={12}>
        {(data) => (
          <>
            <div class="grid g3">
              <SessionsCard overview={data} />
              <DecompositionCard runs={data.decomposition} />
              <WorkflowCard runs={data.workflow} />
            </div>
            <div class="grid g2 overview">
              <Attention overview={data} />
              <Changed overview={data} />
            </div>
            <p class="foot">
              Q says how a session went, not whether its answer was right. Every figure opens what it was made
              of.
            </p>
          </>
        )}
      </Show>
    </Page>
  );
}

function Lead({ overview }: { readonly overview: Overview }) {
  return <>{overviewAnswer(overview).map(({ text, bold }) => (bold ? <b key={text}>{text}</b> : text))}</>;
}

/** Sessions of long ago have a week of their own, and it says which. */
function periodWords(data: Overview | undefined): string {
  const until = data?.sessions.until;
  return until === undefined || until === data?.until
    ? 'the last 7 days'
    : `sessions of the 7 days to ${until.slice(0, 10)}`;
}
