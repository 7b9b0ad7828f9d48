import '../quality.css';
import './decomposition.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { z } from 'zod';
import type { decompositionQueue } from '../../../../src/api/schema/decomposition-rating.ts';
import { formatAmount } from '../../../../src/report/number.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Empty, Loading, Show } from '../../parts/states.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { OutputForm } from './output-form.tsx';
import { OutputText } from './output-text.tsx';

export type RatingQueue = z.infer<typeof decompositionQueue>;
export type QueuedOutput = RatingQueue['items'][number];

/** So many texts come at once; whoever passes over many is given more. */
const AT_ONCE = 20;
const MOST = 200;

/** Sampled outputs of production that nobody has rated, one at a time. */
export function RateOutputsPage({ query }: PageProps) {
  const days = query.get('days') === '30' ? 30 : 7;
  const id = query.get('id') ?? undefined;
  return id === undefined ? <Turns key={days} days={days} /> : <OneOutput key={id} id={id} />;
}

/** The one that a brief or somebody else named, whether it was rated or not. */
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
            <Turn item={item} isFirst onRated={setSaid} onPass={() => setSaid('Nothing was said of it.')} />
          )
        }
      </Show>
    </Page>
  );
}

function Turns({ days }: { readonly days: number }) {
  const [passed, setPassed] = useState<readonly string[]>([]);
  const [rated, setRated] = useState<readonly string[]>([]);
  const [said, setSaid] = useState<string>();
  const limit = Math.min(MOST, AT_ONCE * (1 + Math.floor((2 * passed.length) / AT_ONCE)));
  const queue = useResource<RatingQueue>('decompositions/queue', { days, limit }, [
    'production.recorded',
    'rating.saved',
  ]);
  const item = useTurn(queue.data?.items, [...passed, ...rated]);
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
          isFirst={passed.length + rated.length === 0}
          onRated={(words) => {
            setSaid(words);
            setRated([...rated, item.decomposition.id]);
            queue.reload();
          }}
          onPass={() => {
            setSaid('Passed over: it waits for somebody else, or for later.');
            setPassed([...passed, item.decomposition.id]);
          }}
        />
      ) : (
        <Show of={queue} rows={8}>
          {(data) =>
            queue.loading ? (
              <Loading rows={8} />
            ) : (
              <NoneLeft data={data} days={days} passed={passed.length} onAgain={() => setPassed([])} />
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
  const held = useRef<QueuedOutput | undefined>(undefined);
  const isGone = ({ decomposition: { id } }: QueuedOutput) => gone.includes(id);
  if (held.current === undefined || isGone(held.current)) held.current = items?.find((one) => !isGone(one));
  return held.current;
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
  onPass,
}: {
  readonly item: QueuedOutput;
  readonly isFirst: boolean;
  readonly onRated: (words: string) => void;
  readonly onPass: () => void;
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
        <OutputForm item={item} onRated={onRated} onPass={onPass} />
      </Card>
    </div>
  );
}

function NoneLeft({
  data: { open, sampled },
  days,
  passed,
  onAgain,
}: {
  readonly data: RatingQueue;
  readonly days: number;
  readonly passed: number;
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
  if (open > 0 && passed > 0)
    return (
      <Card title="You have passed over the rest">
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
