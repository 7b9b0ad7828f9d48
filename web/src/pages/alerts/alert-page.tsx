import '../quality.css';
import './alerts.css';
import { useState } from 'preact/hooks';
import { formatDate } from '../../../../src/report/number.ts';
import { asProblem, type Problem, post } from '../../api/client.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Failed, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import type { PageProps } from '../../routes.ts';
import { type Alert, type AlertStory, ruleName, SeverityPill, StatePill, sayState } from './alert-marks.tsx';

/** One alert: what it is about, what became of it, and what can be done now. */
export function AlertPage({ params: { id = '' } }: PageProps) {
  const story = useResource<AlertStory>(`alerts/${encodeURIComponent(id)}`, {}, ['alert.changed']);
  return (
    <Page
      title={story.data?.alert.message ?? 'Alert'}
      live
      actions={
        <a class="chip" href="/alerts">
          all alerts
        </a>
      }
      {...(story.data && { lead: <Lead alert={story.data.alert} /> })}
    >
      <Show of={story} rows={6}>
        {(data) => (
          <>
            <p class="sub facts">
              {data.alert.instrument} · {data.alert.subject} · {ruleName(data.alert.rule)} ·{' '}
              {formatDate(data.alert.at)}
              {' · '}
              <About story={data} />
            </p>
            <div class="grid g2">
              <History story={data} />
              <Change alert={data.alert} onDone={story.reload} />
            </div>
          </>
        )}
      </Show>
    </Page>
  );
}

function Lead({ alert }: { readonly alert: Alert }) {
  return (
    <>
      <SeverityPill severity={alert.severity} /> <StatePill state={alert.state} />{' '}
      <span class="soft">{sayState(alert).replace(/^./, (first) => first.toUpperCase())}.</span>
    </>
  );
}

function About({ story: { alert, run_id } }: { readonly story: AlertStory }) {
  if (run_id === null) return <>the run that raised it is no longer in the store</>;
  if (alert.instrument === 'decomposition')
    return <a href={`/decomposition/runs/${encodeURIComponent(run_id)}`}>the run that raised it</a>;
  return <a href="/workflow">the scores that raised it</a>;
}

function History({ story: { events, alert } }: { readonly story: AlertStory }) {
  const rows = [
    { at: alert.at, state: 'raised', who: 'Assay', why: alert.message, until: null },
    ...events.map((event) => ({ ...event, state: event.state === 'open' ? 'reopened' : event.state })),
  ];
  return (
    <Card title="History">
      <Table
        caption="History of the alert"
        rows={rows}
        rowKey={({ at, state }) => `${at} ${state}`}
        limit={20}
        columns={[
          {
            key: 'at',
            title: 'when',
            names: true,
            value: ({ at }) => at,
            show: ({ at }) => <span class="keep">{formatDate(at)}</span>,
          },
          {
            key: 'state',
            title: 'what',
            value: ({ state }) => state,
            show: ({ state, until }) => (
              <>
                {state}
                {until !== null && <div class="sub">until {formatDate(until)}</div>}
              </>
            ),
          },
          { key: 'who', title: 'who', value: ({ who }) => who },
          {
            key: 'why',
            title: 'why',
            value: ({ why }) => why,
            show: ({ why }) => <div class="words">{why ?? ''}</div>,
          },
          { key: 'until', title: 'until', unseen: true, value: ({ until }) => until },
        ]}
      />
    </Card>
  );
}

const HOUR = 3_600_000;
const SILENCES = [
  [String(HOUR), 'for an hour'],
  [String(24 * HOUR), 'for a day'],
  [String(7 * 24 * HOUR), 'for a week'],
  [String(30 * 24 * HOUR), 'for 30 days'],
] as const;

/** Only what fits the state it is in. */
function Change({ alert: { id, state }, onDone }: { readonly alert: Alert; readonly onDone: () => void }) {
  const [why, setWhy] = useState('');
  const [who, setWho] = useState('');
  const [silence, setSilence] = useState<string>(SILENCES[1][0]);
  const [problem, setProblem] = useState<Problem>();
  const say = async (verb: 'acknowledge' | 'silence' | 'resolve' | 'reopen') => {
    setProblem(undefined);
    try {
      await post(`alerts/${encodeURIComponent(id)}/${verb}`, {
        ...(who.trim() !== '' && { who: who.trim() }),
        ...(why.trim() !== '' && { why: why.trim() }),
        ...(verb === 'silence' && { until: new Date(Date.now() + Number(silence)).toISOString() }),
      });
      setWhy('');
      onDone();
    } catch (fault) {
      setProblem(asProblem(fault));
    }
  };
  return (
    <Card title="What becomes of it">
      <div class="alert-form">
        <label class="field">
          Why (it stays in the history)
          <textarea
            rows={2}
            maxLength={10_000}
            value={why}
            onInput={({ currentTarget }) => setWhy(currentTarget.value)}
          />
        </label>
        <label class="field">
          Who, where it is not whom the server knows
          <input maxLength={200} value={who} onInput={({ currentTarget }) => setWho(currentTarget.value)} />
        </label>
        {problem !== undefined && <Failed title={problem.message} detail={problem.detail} />}
        <div class="row">
          {(state === 'open' || state === 'silenced') && (
            <button type="button" class="chip" onClick={() => say('acknowledge')}>
              Acknowledge
            </button>
          )}
          {state !== 'resolved' && (
            <button type="button" class="chip" onClick={() => say('resolve')}>
              Resolve
            </button>
          )}
          {state !== 'open' && (
            <button type="button" class="chip" onClick={() => say('reopen')}>
              Reopen
            </button>
          )}
        </div>
        {state !== 'resolved' && (
          <div class="row">
            <button type="button" class="chip" onClick={() => say('silence')}>
              Silence
            </button>
            <select
              class="chip"
              aria-label="How long it is silent"
              value={silence}
              onChange={({ currentTarget }) => setSilence(currentTarget.value)}
            >
              {SILENCES.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
    </Card>
  );
}
