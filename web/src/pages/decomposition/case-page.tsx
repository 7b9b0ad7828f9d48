import '../quality.css';
import './decomposition.css';
import type { Row, View as ViewOf } from '../../../../src/report/view.ts';
import { type Resource, useResource, useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Segments } from '../../parts/choices.tsx';
import { Page } from '../../parts/page.tsx';
import { Show } from '../../parts/states.tsx';
import { blocksNamed, View, ViewLead } from '../../parts/view.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { caseHref, runHref, shortId } from './addresses.ts';
import { markedText, type Piece } from './marked-text.ts';
import { RelationGraph } from './relation-graph.tsx';
import type { CaseStory, SuiteRun, Trial } from './shapes.ts';

/** One case: the text, what was found, missed and invented, and the relationships. */
export function CasePage({ params: { id = '', case: caseId = '' }, query }: PageProps) {
  const path = `runs/${encodeURIComponent(id)}/cases/${encodeURIComponent(caseId)}`;
  const output = query.get('output') ?? '1';
  const story = useResource<CaseStory>(path);
  const view = useView(path, { output });
  const run = useResource<SuiteRun>(`runs/${encodeURIComponent(id)}`);
  return (
    <Page
      title={caseId}
      actions={<Neighbours run={run.data} id={id} caseId={caseId} />}
      lead={view.data && <ViewLead of={view.data} />}
    >
      <Show of={story} rows={12}>
        {(data) => <Story story={data} output={output} view={view} />}
      </Show>
    </Page>
  );
}

function Story({
  story: { run, text, trials },
  output,
  view,
}: {
  readonly story: CaseStory;
  readonly output: string;
  readonly view: Resource<ViewOf>;
}) {
  const trial = trials[Number(output) - 1] ?? trials[0];
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
          chosen={output}
          onChoose={(value) => choose({ output: value })}
        />
      )}
      <div class="grid g2">
        <Card title="The text" aside={<Legend />}>
          <CaseText text={text} trial={trial} />
        </Card>
        <Show of={view}>{(data) => <View of={blocksNamed(data, 'Metrics of this case')} />}</Show>
      </div>
      <Show of={view}>
        {(data) => (
          <>
            <div class="thirds">
              <View of={blocksNamed(data, 'Found', 'Missed', 'Not expected')} href={toQuote} />
            </div>
            {trial !== undefined && trial.relationships.length > 0 && (
              <Card title="How they were connected">
                <RelationGraph trial={trial} />
              </Card>
            )}
            <View of={{ ...blocksNamed(data, 'Relationships'), notes: data.notes }} />
          </>
        )}
      </Show>
    </>
  );
}

/** A link from a concept to its quote in the text. */
function toQuote({ quote_from: from }: Row): string | undefined {
  return from === undefined ? undefined : `#quote-${from}`;
}

function Legend() {
  return (
    <span class="legend">
      <mark class="quote-found">found</mark> <mark class="quote-invented">not expected</mark>{' '}
      <mark class="quote-canary">canary</mark>
    </span>
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

/** The text with every verified quote marked: a solid line for right concepts, a broken one for others. */
function CaseText({ text, trial }: { readonly text: CaseStory['text']; readonly trial: Trial | undefined }) {
  if (text.state === 'absent') {
    return (
      <p class="sub">
        A run does not store the text, and the golden cases of this folder do not have it: {text.why}.
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
