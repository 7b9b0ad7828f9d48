import './session.css';
import { useState } from 'preact/hooks';
import { formatCents, formatDuration, formatRatio, formatScore } from '../../../../src/report/number.ts';
import { agentName } from '../../api/agent-names.ts';
import type { Explanation, ListedSession, PageOf, SessionTree } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Command } from '../../parts/command.tsx';
import { Page } from '../../parts/page.tsx';
import { TierPill } from '../../parts/pill.tsx';
import { SaveLink } from '../../parts/save-link.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Show } from '../../parts/states.tsx';
import type { PageProps } from '../../routes.ts';
import { shortName } from '../sessions/session-filters.ts';
import { sessionName } from '../sessions/session-name.ts';
import { Contributions } from './contributions.tsx';
import { Evidence } from './evidence.tsx';
import { Figures } from './figures.tsx';
import { Said } from './said.tsx';
import { type Run, worstRun } from './signals.ts';
import { Timeline } from './timeline.tsx';
import { Transcript } from './transcript.tsx';
import { Tree } from './tree.tsx';
import { verdictOf } from './verdict.ts';
import { Work } from './work.tsx';

const LIVE = ['session.updated', 'session.scored'];

/** A session reads like a story: the verdict, where the score comes from, what happened when, and the evidence. */
export function SessionPage({ params: { key = '' } }: PageProps) {
  const path = `sessions/${encodeURIComponent(key)}`;
  const explained = useResource<Explanation>(`${path}/explanation`, {}, LIVE);
  const listed = useResource<PageOf<ListedSession>>('sessions', { search: key, titles: 'true', limit: 1 });
  const tree = useResource<SessionTree>(`${path}/tree`, {}, LIVE);
  const one = listed.data?.items.find(
    ({ session_key, session_id }) => session_key === key || session_id === key,
  );
  const title = one === undefined ? `Session ${key.slice(0, 8)}` : sessionName(one);
  return (
    <Page
      title={title}
      live
      actions={
        // Of a session that is not there, nothing can be said or saved.
        explained.problem?.status !== 404 && (
          <>
            <a class="chip" href={`/sessions/${encodeURIComponent(key)}/rate`}>
              Rate it
            </a>
            <SaveLink path={`${path}/explanation`} name={`session-${key.slice(0, 8)}.json`} look="chip">
              JSON
            </SaveLink>
          </>
        )
      }
    >
      <Show of={explained} rows={10}>
        {(explanation) => <Story id={key} explanation={explanation} one={one} tree={tree.data} />}
      </Show>
    </Page>
  );
}

function Story({
  id,
  explanation,
  one,
  tree,
}: {
  readonly id: string;
  readonly explanation: Explanation;
  readonly one: ListedSession | undefined;
  readonly tree: SessionTree | undefined;
}) {
  const { runs } = explanation;
  const [chosen, setChosen] = useState<number>();
  const [line, setLine] = useState<number>();
  const index = chosen ?? worstRun(runs);
  const run = runs[index];
  if (run === undefined) return <p class="sub">Nothing of this session was scored.</p>;
  return (
    <>
      <Lead run={run} tier={explanation.tier} />
      <Facts explanation={explanation} one={one} />
      {runs.length > 1 && (
        <div class="row runs">
          <span class="sub">It has {runs.length} runs; the one that lost most is shown first.</span>
          <Segments
            label="Run"
            choices={runs.map((_, at) => ({ value: String(at), name: `run ${at + 1}` }))}
            chosen={String(index)}
            onChoose={(value) => setChosen(Number(value))}
          />
        </div>
      )}
      <div class="grid g2">
        <Card
          title={explanation.q === null ? 'Q unmeasured' : `Q ${formatScore(explanation.q)}`}
          aside="width is weight, filled is earned, outlined is unmeasured"
        >
          <Contributions run={run} />
          <Timeline id={id} run={run} />
        </Card>
        <div class="stack">
          <Work explanation={explanation} />
          <Figures explanation={explanation} />
        </div>
      </div>
      <Card title="What was seen, dearest first" aside="lines open the transcript on this machine">
        <Evidence run={run} onLine={setLine} />
      </Card>
      <Transcript id={id} line={line} />
      {tree !== undefined && tree.sessions.length > 1 && <Tree tree={tree} current={id} />}
      <Said id={id} />
      <p class="foot">
        In a terminal: <Command text={`assay sessions explain ${explanation.session_id}`} />
      </p>
    </>
  );
}

function Lead({ run, tier }: { readonly run: Run; readonly tier: string | null }) {
  const { before, facts, after } = verdictOf(run, tier);
  const sentence = facts.flatMap((fact, index) => [
    index === 0 ? '' : ' and ',
    <b key={fact}>{index === 0 && before === '' ? capital(fact) : fact}</b>,
  ]);
  return (
    <p class="lead">
      {before}
      {sentence}
      {after} <TierPill tier={tier} />
    </p>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One muted line with everything else that tells it apart. */
function Facts({
  explanation,
  one,
}: {
  readonly explanation: Explanation;
  readonly one: ListedSession | undefined;
}) {
  const { started_at: from, ended_at: to, cost_usd: cost, models } = explanation;
  const project = one?.project ?? null;
  const parts = [
    project === null ? undefined : shortName(project),
    `${explanation.task_type}: ${explanation.task_type_reason}`,
    models.join(', '),
    agentName(explanation.agent ?? explanation.source),
    from === null ? undefined : from.slice(0, 16).replace('T', ' '),
    from === null || to === null ? undefined : formatDuration(Date.parse(to) - Date.parse(from)),
    `${explanation.turns} ${explanation.turns === 1 ? 'turn' : 'turns'}, ${explanation.tool_calls} calls, ${explanation.tool_errors} failed`,
    cost === null ? `cost unknown: ${explanation.cost_reason ?? 'no price'}` : formatCents(cost),
    `${formatRatio(explanation.coverage)} of the weights measured${explanation.low_confidence ? ' (low confidence)' : ''}`,
  ];
  return <p class="sub facts">{parts.filter((part) => part !== undefined && part !== '').join(' · ')}</p>;
}
