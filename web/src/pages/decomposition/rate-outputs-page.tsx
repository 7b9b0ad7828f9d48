import '../quality.css';
import './decomposition.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { z } from 'zod';
import type {
  decompositionOpinion,
  decompositionQueue,
  decompositionRated,
} from '../../../../src/api/schema/decomposition-rating.ts';
import { formatAmount, formatDate, formatValue } from '../../../../src/report/number.ts';
import { post } from '../../api/client.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Choices, Segments } from '../../parts/choices.tsx';
import { Form, TextField, useSending } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Loading, Show } from '../../parts/states.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';

export type RatingQueue = z.infer<typeof decompositionQueue>;
export type QueuedOutput = RatingQueue['items'][number];

/** Texts per request; more are loaded when many are skipped. */
const AT_ONCE = 20;
const MOST = 200;

/** Sampled production outputs without a rating, one at a time. */
export function RateOutputsPage({ query }: PageProps) {
  const days = query.get('days') === '30' ? 30 : 7;
  const id = query.get('id') ?? undefined;
  return id === undefined ? <Turns key={days} days={days} /> : <OneOutput key={id} id={id} />;
}

/** The output that a link names, rated or not. */
function OneOutput({ id }: { readonly id: string }) {
  const [said, setSaid] = useState<string>();
  const queue = useResource<RatingQueue>('decompositions/queue', { id }, ['rating.saved']);
  const others = <a href="/decomposition/production/rate">Rate those that wait</a>;
  return (
    <Page title="Rate an output" lead={id}>
      <p class="sub said" role="status">
        {said} {said !== undefined && others}
      </p>
      <Show of={queue} rows={8}>
        {({ items: [item] }) =>
          item === undefined ? (
            <Card title="It is not here">
              <p>No request has this id, or it is gone by now. {others}</p>
            </Card>
          ) : (
            <Turn item={item} isFirst onRated={setSaid} onSkip={() => setSaid('Nothing was said of it.')} />
          )
        }
      </Show>
    </Page>
  );
}

function Turns({ days }: { readonly days: number }) {
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [rated, setRated] = useState<readonly string[]>([]);
  const [said, setSaid] = useState<string>();
  const limit = Math.min(MOST, AT_ONCE * (1 + Math.floor((2 * skipped.length) / AT_ONCE)));
  const queue = useResource<RatingQueue>('decompositions/queue', { days, limit }, [
    'production.recorded',
    'rating.saved',
  ]);
  const item = useTurn(queue.data?.items, [...skipped, ...rated]);
  return (
    <Page
      title="Rate outputs"
      live
      actions={
        <>
          <Segments
            label="Time"
            choices={[
              { value: '7', name: 'last 7 days' },
              { value: '30', name: 'last 30 days' },
            ]}
            chosen={String(days)}
            onChoose={(value) => choose({ days: value === '7' ? undefined : value })}
          />
          <a class="chip" href="/decomposition/production">
            in production
          </a>
        </>
      }
      {...(queue.data && { lead: leadOf(queue.data, days) })}
    >
      <p class="sub said" role="status">
        {said}
      </p>
      {item !== undefined ? (
        <Turn
          key={item.decomposition.id}
          item={item}
          isFirst={skipped.length + rated.length === 0}
          onRated={(words) => {
            setSaid(words);
            setRated([...rated, item.decomposition.id]);
            queue.reload();
          }}
          onSkip={() => {
            setSaid('Skipped: it stays in the queue.');
            setSkipped([...skipped, item.decomposition.id]);
          }}
        />
      ) : (
        <Show of={queue} rows={8}>
          {(data) =>
            queue.loading ? (
              <Loading rows={8} />
            ) : (
              <NoneLeft data={data} days={days} skipped={skipped.length} onAgain={() => setSkipped([])} />
            )
          }
        </Show>
      )}
    </Page>
  );
}

/** The output that is looked at stays until something was said of it, whatever comes or goes meanwhile. */
function useTurn(
  items: readonly QueuedOutput[] | undefined,
  gone: readonly string[],
): QueuedOutput | undefined {
  const current = useRef<QueuedOutput | undefined>(undefined);
  const isGone = ({ decomposition: { id } }: QueuedOutput) => gone.includes(id);
  if (current.current === undefined || isGone(current.current))
    current.current = items?.find((one) => !isGone(one));
  return current.current;
}

function leadOf({ open, sampled }: RatingQueue, days: number) {
  if (sampled === 0) return <>No output of the last {days} days was drawn for a closer look.</>;
  return (
    <>
      <b>{formatAmount(open, 'output')}</b> of {sampled} that were drawn in the last {days} days{' '}
      {open === 1 ? 'waits' : 'wait'} for a rating.{' '}
      <span class="soft">Chance decides the order: whoever stops early has still rated a fair part.</span>
    </>
  );
}

function Turn({
  item,
  isFirst,
  onRated,
  onSkip,
}: {
  readonly item: QueuedOutput;
  readonly isFirst: boolean;
  readonly onRated: (words: string) => void;
  readonly onSkip: () => void;
}) {
  const heading = useRef<HTMLSpanElement>(null);
  // Whoever works by keyboard goes on from the top of the next one.
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
  }, []);
  return (
    <div class="grid g2even turn">
      <Card
        title={
          <span ref={heading} tabIndex={-1}>
            The output
          </span>
        }
      >
        <OutputText item={item} />
      </Card>
      <Card title="Your rating">
        <OutputForm item={item} onRated={onRated} onSkip={onSkip} />
      </Card>
    </div>
  );
}

function NoneLeft({
  data: { open, sampled },
  days,
  skipped,
  onAgain,
}: {
  readonly data: RatingQueue;
  readonly days: number;
  readonly skipped: number;
  readonly onAgain: () => void;
}) {
  if (sampled === 0)
    return (
      <Card title="Nothing to rate">
        <Empty command="assay example production">
          A share of the requests that a service sends is drawn for people to look at. None was drawn in the
          last {days} days. This runs a small service and watches it:
        </Empty>
      </Card>
    );
  if (open > 0 && skipped > 0)
    return (
      <Card title="You skipped the rest">
        <p>
          {formatAmount(open, 'output')} still {open === 1 ? 'waits' : 'wait'}.
        </p>
        <button type="button" class="chip" onClick={onAgain}>
          Look at {open === 1 ? 'it' : 'them'} again
        </button>
      </Card>
    );
  return (
    <Card title="All of them are rated">
      <p>
        Every one of the {formatAmount(sampled, 'sampled output')} of the last {days} days has a rating.{' '}
        <a href="/decomposition/production">What they say</a>
      </p>
    </Card>
  );
}

type Sent = z.input<typeof decompositionOpinion>;
type YesOrNo = 'yes' | 'no';

/** The rating of an output: as a whole, by concept, and the reason. */
export function OutputForm({
  item: { decomposition, concepts },
  onRated,
  onSkip,
}: {
  readonly item: QueuedOutput;
  readonly onRated: (words: string) => void;
  readonly onSkip: () => void;
}) {
  const [acceptable, setAcceptable] = useState<YesOrNo>();
  const [fabricated, setFabricated] = useState<YesOrNo>();
  const [opinions, setOpinions] = useState<Opinions>({});
  const [lacks, setLacks] = useState<YesOrNo>();
  const [missing, setMissing] = useState('');
  const [reason, setReason] = useState('');
  const sending = useSending();
  const save = () =>
    sending.send(async () => {
      const body: Sent = {
        acceptable: acceptable === 'yes',
        ...(fabricated !== undefined && { fabricated: fabricated === 'yes' }),
        ...(reason.trim() !== '' && { reason }),
        ...(lacks !== undefined && { missing: lacks === 'no' ? [] : linesOf(missing) }),
        concepts: Object.entries(opinions).flatMap(([label, opinion]) => sentConcept(label, opinion)),
      };
      const path = `decompositions/${encodeURIComponent(decomposition.id)}/ratings`;
      await post<z.infer<typeof decompositionRated>>(path, body);
      onRated(savedWords(body));
    });
  return (
    <Form
      sending={sending}
      submit="Save and go on"
      disabled={acceptable === undefined || (lacks === 'yes' && linesOf(missing).length === 0)}
      onSubmit={save}
      more={
        <button type="button" class="chip" onClick={onSkip}>
          Skip
        </button>
      }
    >
      <Choices
        label="As a whole, is it acceptable?"
        name="acceptable"
        choices={[
          { value: 'yes', name: 'acceptable' },
          { value: 'no', name: 'not acceptable' },
        ]}
        onChoose={setAcceptable}
      />
      {concepts.length > 0 ? (
        <ConceptOpinions concepts={concepts} opinions={opinions} onSay={setOpinions} />
      ) : (
        <Choices
          label="Is something in it made up? (may be left out)"
          name="fabricated"
          choices={[
            { value: 'no', name: 'nothing is made up' },
            { value: 'yes', name: 'something is made up' },
          ]}
          onChoose={setFabricated}
        />
      )}
      <Choices
        label="Does it lack a concept? (may be left out)"
        name="lacks"
        choices={[
          { value: 'no', name: 'nothing is missing' },
          { value: 'yes', name: 'something is missing' },
        ]}
        onChoose={setLacks}
      />
      {lacks === 'yes' && (
        <TextField
          label="Missing concepts, one on each line"
          value={missing}
          rows={3}
          maxLength={4000}
          onType={setMissing}
        />
      )}
      <TextField
        label="Why, in a few words (may be left out)"
        value={reason}
        rows={2}
        maxLength={4000}
        onType={setReason}
      />
    </Form>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function sentConcept(label: string, { is, reason }: Opinion): NonNullable<Sent['concepts']> {
  if (is === undefined) return [];
  const why = is === 'right' || reason.trim() === '' ? {} : { reason };
  return [{ label, acceptable: is === 'right', fabricated: is === 'made up', ...why }];
}

function savedWords({ acceptable, concepts = [] }: Sent): string {
  const whole = acceptable ? 'Saved: acceptable' : 'Saved: not acceptable';
  return concepts.length === 0 ? `${whole}.` : `${whole}, with ${formatAmount(concepts.length, 'concept')}.`;
}

/** The input and the output of the service, as far as they are stored. */
export function OutputText({ item: { decomposition: made, text, output } }: { readonly item: QueuedOutput }) {
  const facts = [
    formatDate(made.at),
    made.topic,
    made.prompt_version,
    made.model,
    made.latency_ms === undefined ? undefined : formatValue(made.latency_ms, 'ms'),
  ];
  return (
    <div class="stack">
      <p class="sub">
        <code>{made.id}</code> {facts.filter((one) => one !== undefined).join(' · ')}
      </p>
      {made.status === 'error' && (
        <p>
          <span class="tone-bad">✗</span> The request failed{made.error_kind && `: ${made.error_kind}`}.
        </p>
      )}
      {text === null ? (
        <p class="sub">
          Its text is not stored: look it up by its id. Texts of sampled requests are stored where the service
          sends them and <code>production.keepText</code> is on.
        </p>
      ) : (
        <p class="source-text">{text}</p>
      )}
      <p class="sub">
        {made.concepts === undefined
          ? 'How many concepts is not known'
          : formatAmount(made.concepts, 'concept')}
        {made.relationships !== undefined && `, ${formatAmount(made.relationships, 'relationship')}`}
      </p>
      {output !== null && output !== undefined && (
        <details>
          <summary>The whole output</summary>
          <pre class="whole-output">{JSON.stringify(output, null, 2)}</pre>
        </details>
      )}
    </div>
  );
}

const VERDICTS = ['right', 'wrong', 'made up'] as const;
type Verdict = (typeof VERDICTS)[number];

export type Opinion = { readonly is: Verdict | undefined; readonly reason: string };
/** By the label of the concept; most have none. */
export type Opinions = Readonly<Record<string, Opinion>>;

const NOTHING: Opinion = { is: undefined, reason: '' };

/** Each concept with its quote and its rating. A label that occurs twice is one concept. */
export function ConceptOpinions({
  concepts,
  opinions,
  onSay,
}: {
  readonly concepts: QueuedOutput['concepts'];
  readonly opinions: Opinions;
  readonly onSay: (opinions: Opinions) => void;
}) {
  const each = [...new Map(concepts.map((one) => [one.label, one])).values()];
  return (
    <fieldset class="choose">
      <legend>Which concepts are right, wrong or made up? (may be left out)</legend>
      <ul class="opinions">
        {each.map((concept, index) => (
          <Concept
            key={concept.label}
            id={`concept-${index}`}
            concept={concept}
            opinion={opinions[concept.label] ?? NOTHING}
            onSay={(opinion) => onSay({ ...opinions, [concept.label]: opinion })}
          />
        ))}
      </ul>
    </fieldset>
  );
}

function Concept({
  id,
  concept: { label, quote },
  opinion,
  onSay,
}: {
  readonly id: string;
  readonly concept: QueuedOutput['concepts'][number];
  readonly opinion: Opinion;
  readonly onSay: (opinion: Opinion) => void;
}) {
  const isAgainst = opinion.is === 'wrong' || opinion.is === 'made up';
  return (
    <li class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={opinion.is ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onSay({ ...opinion, is: VERDICTS.find((one) => one === value) })
        }
      >
        <option value="">not said</option>
        {VERDICTS.map((verdict) => (
          <option key={verdict} value={verdict}>
            {verdict}
          </option>
        ))}
      </select>
      {quote !== null && <p class="sub">“{quote}”</p>}
      {isAgainst && (
        <input
          type="text"
          aria-label={`Why: ${label}`}
          placeholder="why (may be left out)"
          maxLength={4000}
          value={opinion.reason}
          onInput={({ currentTarget: { value } }) => onSay({ ...opinion, reason: value })}
        />
      )}
    </li>
  );
}
