import '../quality.css';
import './decomposition.css';
import { formatAmount } from '../../../../src/report/number.ts';
import { useMetrics, useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Segments } from '../../parts/choices.tsx';
import { ZonePill } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Show } from '../../parts/states.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { caseHref, runHref, shortId } from './addresses.ts';
import { ConceptColumns, EdgeTable } from './concept-columns.tsx';
import { kindOf, markedText, type Piece } from './marked-text.ts';
import { RelationGraph } from './relation-graph.tsx';
import { RunMetrics } from './run-metrics.tsx';
import type { CaseStory, SuiteRun, Trial } from './shapes.ts';

/** One case: the text, what was found, missed and invented in it, and how things were connected. */
export function CasePage({ params: { id = '', case: caseId = '' }, query }: PageProps) {
  const story = useResource<CaseStory>(`runs/${encodeURIComponent(id)}/cases/${encodeURIComponent(caseId)}`);
  const run = useResource<SuiteRun>(`runs/${encodeURIComponent(id)}`);
  const trial = story.data?.trials[Number(query.get('trial') ?? '1') - 1] ?? story.data?.trials[0];
  return (
    <Page
      title={caseId}
      actions={<Neighbours run={run.data} id={id} caseId={caseId} />}
      {...(story.data && { lead: <Answer story={story.data} trial={trial} /> })}
    >
      <Show of={story} rows={12}>
        {(data) => <Told story={data} trial={trial} />}
      </Show>
    </Page>
  );
}

function Told({ story, trial }: { readonly story: CaseStory; readonly trial: Trial | undefined }) {
  const names = useMetrics('decomposition');
  const { run, text, trials } = story;
  return (
    <>
      <p class="sub facts">
        {text.state === 'here' && `${text.topic} · ${text.domain} · `}
        <a href={runHref(run.id)}>run {shortId(run.id)}</a> of {run.subject}
      </p>
      {trials.length > 1 && (
        <Segments
          label="Output"
          choices={trials.map((_, index) => ({ value: String(index + 1), name: `output ${index + 1}` }))}
          chosen={String(trials.indexOf(trial ?? (trials[0] as Trial)) + 1)}
          onChoose={(value) => choose({ trial: value })}
        />
      )}
      <div class="grid g2">
        <Card title="The text" aside={<Legend />}>
          <CaseText text={text} trial={trial} />
        </Card>
        <Card title="Metrics of this case">
          <RunMetrics metrics={story.case.metrics} names={names} limit={9} />
        </Card>
      </div>
      {trial === undefined ? (
        <Card title="What was found">
          <p class="sub">Of this run only the numbers were kept.</p>
        </Card>
      ) : (
        <>
          {trial.error !== undefined && (
            <p class="stale" role="status">
              <span class="tone-bad">✗</span> This output could not be measured: {trial.error}
            </p>
          )}
          <ConceptColumns trial={trial} />
          <Card title="How they were connected">
            {trial.relationships.length > 0 && <RelationGraph trial={trial} />}
            <EdgeTable trial={trial} />
          </Card>
        </>
      )}
    </>
  );
}

function Legend() {
  return (
    <span class="legend">
      <mark class="quote-found">found</mark> <mark class="quote-invented">not expected</mark>{' '}
      <mark class="quote-canary">canary</mark>
    </span>
  );
}

function Answer({ story, trial }: { readonly story: CaseStory; readonly trial: Trial | undefined }) {
  const zone = <ZonePill zone={story.case.zone} />;
  if (trial === undefined) return zone;
  const found = new Set(trial.concepts.flatMap(({ expected }) => expected ?? [])).size;
  const invented = trial.concepts.filter((concept) => kindOf(concept) !== 'found').length;
  const right = trial.relationships.filter(({ state }) => state === 'right').length;
  const said = trial.relationships.filter(({ state }) => state !== 'missing').length;
  return (
    <>
      {zone}{' '}
      <b>
        {found} of {formatAmount(found + trial.missed.length, 'concept')} found
      </b>
      , {invented} not expected; {right} of {formatAmount(said, 'relationship')} right.
    </>
  );
}

function Neighbours({
  run,
  id,
  caseId,
}: {
  readonly run: SuiteRun | undefined;
  readonly id: string;
  readonly caseId: string;
}) {
  const cases = run?.cases.map((one) => one.id) ?? [];
  const at = cases.indexOf(caseId);
  const [before, after] = [at > 0 ? cases[at - 1] : undefined, at >= 0 ? cases[at + 1] : undefined];
  return (
    <>
      {before !== undefined && (
        <a class="chip" href={caseHref(id, before)} rel="prev">
          ← {before}
        </a>
      )}
      {after !== undefined && (
        <a class="chip" href={caseHref(id, after)} rel="next">
          {after} →
        </a>
      )}
      <a class="chip" href={runHref(id)}>
        the run
      </a>
    </>
  );
}

/** The text with every verified quote marked: a solid line under what was right, a broken one under what was not. */
export function CaseText({
  text,
  trial,
}: {
  readonly text: CaseStory['text'];
  readonly trial: Trial | undefined;
}) {
  if (text.state === 'absent') {
    return (
      <p class="sub">
        The text is not kept with a run, and it is not in the golden cases of the folder that is served:{' '}
        {text.why}.
      </p>
    );
  }
  const pieces = markedText(text.text, text.as_measured ? (trial?.concepts ?? []) : []);
  return (
    <>
      {!text.as_measured && (
        <p class="stale" role="status">
          <span class="tone-caution">▲</span> The golden cases have changed since this run, so its quotes are
          not marked in the text.
        </p>
      )}
      <p class="source-text">
        {pieces.map((piece) =>
          piece.concepts.length === 0 ? (
            <span key={piece.from}>{piece.text}</span>
          ) : (
            <Quote key={piece.from} piece={piece} />
          ),
        )}
      </p>
      {text.citation !== null && <p class="sub">Source: {text.citation}</p>}
    </>
  );
}

function Quote({ piece: { from, text, concepts } }: { readonly piece: Piece }) {
  const kinds = new Set(concepts.map(({ kind }) => kind));
  const kind = kinds.has('canary') ? 'canary' : kinds.has('found') ? 'found' : 'invented';
  const said = concepts.map((one) => `${one.label} (${one.kind})`).join(', ');
  return (
    <mark id={`quote-${from}`} class={`quote-${kind}`} data-hint={said}>
      {text}
      <span class="unseen"> [{said}] </span>
    </mark>
  );
}
