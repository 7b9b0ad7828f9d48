import '../quality.css';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { alertStory } from '../../../../src/api/schema/alert.ts';
import { formatDate } from '../../../../src/report/number.ts';
import { post } from '../../api/client.ts';
import { useResource, useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Form, TextField, useSending } from '../../parts/form.tsx';
import { Pill } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Show } from '../../parts/states.tsx';
import { blocksNamed, View } from '../../parts/view.tsx';
import type { PageProps } from '../../routes.ts';

type AlertStory = z.infer<typeof alertStory>;
type Alert = AlertStory['alert'];

const LIVE = ['alert.changed'];

/** One alert: its subject, its events, and the possible actions. */
export function AlertPage({ params: { id = '' } }: PageProps) {
  const path = `alerts/${encodeURIComponent(id)}`;
  const story = useResource<AlertStory>(path, {}, LIVE);
  const view = useView(path, {}, LIVE);
  const reload = () => {
    story.reload();
    view.reload();
  };
  return (
    <Page
      title={story.data?.alert.message ?? 'Alert'}
      live
      actions={
        <a class="chip" href="/alerts">
          all alerts
        </a>
      }
      lead={story.data && <Lead alert={story.data.alert} />}
    >
      <Show of={story} rows={6}>
        {(data) => (
          <>
            <p class="sub facts">
              {data.alert.instrument} · {data.alert.subject} · {data.alert.rule.replaceAll('-', ' ')} ·{' '}
              {formatDate(data.alert.at)}
              {' · '}
              <About story={data} />
            </p>
            <div class="grid g2">
              <Show of={view}>{(shown) => <View of={blocksNamed(shown, 'History')} />}</Show>
              <Change alert={data.alert} onDone={reload} />
            </div>
          </>
        )}
      </Show>
    </Page>
  );
}

const STATES = {
  open: ['▲ open', 'caution'],
  acknowledged: ['○ acknowledged', 'quiet'],
  silenced: ['– silenced', 'quiet'],
  resolved: ['✓ resolved', 'good'],
} as const;

function Lead({ alert: { severity, state, event } }: { readonly alert: Alert }) {
  const [text, tone] = STATES[state];
  return (
    <>
      {severity === 'critical' ? <Pill tone="bad">✗ critical</Pill> : <Pill tone="caution">▲ warning</Pill>}{' '}
      <Pill tone={tone}>{text}</Pill>{' '}
      <span class="soft">
        {event === null ? 'Nobody has looked at it.' : `By ${event.who}${sayUntil(event.until)}.`}
      </span>
    </>
  );
}

function sayUntil(until: string | null): string {
  return until === null ? '' : ` until ${formatDate(until)}`;
}

function About({ story: { alert, run_id } }: { readonly story: AlertStory }) {
  if (run_id === null) return <>the run that raised it is no longer in the store</>;
  if (alert.instrument === 'decomposition')
    return <a href={`/decomposition/runs/${encodeURIComponent(run_id)}`}>the run that raised it</a>;
  return <a href="/workflow">the scores that raised it</a>;
}

const HOUR = 3_600_000;
const SILENCES = [
  [String(HOUR), 'for an hour'],
  [String(24 * HOUR), 'for a day'],
  [String(7 * 24 * HOUR), 'for a week'],
  [String(30 * 24 * HOUR), 'for 30 days'],
] as const;

type Verb = 'acknowledge' | 'silence' | 'resolve' | 'reopen';

/** What can be done in each state; the first is the one that is meant most. */
const VERBS: Readonly<
  Record<Alert['state'], readonly [readonly [Verb, string], ...(readonly [Verb, string])[]]>
> = {
  open: [
    ['acknowledge', 'Acknowledge'],
    ['resolve', 'Resolve'],
  ],
  silenced: [
    ['acknowledge', 'Acknowledge'],
    ['resolve', 'Resolve'],
    ['reopen', 'Reopen'],
  ],
  acknowledged: [
    ['resolve', 'Resolve'],
    ['reopen', 'Reopen'],
  ],
  resolved: [['reopen', 'Reopen']],
};

/** Only what fits the state it is in. */
function Change({ alert: { id, state }, onDone }: { readonly alert: Alert; readonly onDone: () => void }) {
  const [why, setWhy] = useState('');
  const [who, setWho] = useState('');
  const [silence, setSilence] = useState<string>(SILENCES[1][0]);
  const sending = useSending();
  const change = (verb: Verb) =>
    sending.send(async () => {
      await post(`alerts/${encodeURIComponent(id)}/${verb}`, {
        ...(who.trim() !== '' && { who: who.trim() }),
        ...(why.trim() !== '' && { why: why.trim() }),
        ...(verb === 'silence' && { until: new Date(Date.now() + Number(silence)).toISOString() }),
      });
      setWhy('');
      onDone();
    });
  const [[first, name], ...others] = VERBS[state];
  return (
    <Card title="Change it">
      <Form
        sending={sending}
        submit={name}
        onSubmit={() => change(first)}
        more={others.map(([verb, words]) => (
          <button key={verb} type="button" class="chip" onClick={() => change(verb)}>
            {words}
          </button>
        ))}
      >
        <TextField
          label="Why (it stays in the history)"
          value={why}
          rows={2}
          maxLength={10_000}
          onType={setWhy}
        />
        <TextField label="Who, if the server does not know you" value={who} onType={setWho} />
      </Form>
      {state !== 'resolved' && (
        <div class="row">
          <button type="button" class="chip" onClick={() => change('silence')}>
            Silence
          </button>
          <select
            class="chip"
            aria-label="How long it is silent"
            value={silence}
            onChange={({ currentTarget }) => setSilence(currentTarget.value)}
          >
            {SILENCES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </div>
      )}
    </Card>
  );
}
