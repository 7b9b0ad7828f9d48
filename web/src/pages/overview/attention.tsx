/** Alerts, runs that did not pass, sessions that went badly: worst first, each with why. */
import type { ComponentChildren } from 'preact';
import { formatCents } from '../../../../src/report/number.ts';
import type { Alert, ListedSession, Overview, RunSummary } from '../../api/shapes.ts';
import { Card } from '../../parts/card.tsx';
import { Pill, Unmeasured, VerdictPill } from '../../parts/measured.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { sessionName } from '../sessions/session-filters.ts';
import { Quality, sessionHref, sessionPlace } from '../sessions/session-table.tsx';
import { isUnmeasured } from './overview-answer.ts';

type Item = {
  readonly id: string;
  readonly what: string;
  readonly place: string;
  readonly why: string;
  readonly state: string | number | null;
  readonly mark: ComponentChildren;
  readonly cost: number | null;
  readonly at: string | null;
  readonly href: string;
};

const SHOWN = 5;

const COLUMNS: readonly Column<Item>[] = [
  {
    key: 'what',
    title: 'what',
    names: true,
    value: ({ what }) => what,
    show: ({ what, place, href }) => (
      <div class="what">
        <a class="cut" href={href}>
          {what}
        </a>
        <div class="sub cut">{place}</div>
      </div>
    ),
  },
  {
    key: 'state',
    title: 'Q or state',
    numeric: true,
    value: ({ state }) => state,
    show: ({ mark }) => mark,
  },
  {
    key: 'why',
    title: 'why',
    value: ({ why }) => why,
    show: ({ why }) => <div class="words clamp">{why}</div>,
  },
  {
    key: 'cost_usd',
    title: 'cost',
    numeric: true,
    value: ({ cost }) => cost,
    show: ({ cost }) =>
      cost === null ? <Unmeasured reason="it has no cost of its own" /> : formatCents(cost),
  },
  { key: 'at', title: 'when', numeric: true, value: ({ at }) => at, show: ({ at }) => <When at={at} /> },
];

export function Attention({ overview }: { readonly overview: Overview }) {
  const { attention, sessions } = overview;
  const items = [
    ...attention.alerts.map(ofAlert),
    ...attention.runs.map(ofRun),
    ...sessions.attention.map(ofSession),
  ];
  return (
    <Card title="Needs attention" aside={sessions.attention_in_all > 0 && <InAll sessions={sessions} />}>
      <Table
        caption="Needs attention"
        columns={COLUMNS}
        rows={items}
        rowKey={({ id }) => id}
        href={({ href }) => href}
        limit={SHOWN}
        main
        empty={
          <Empty>
            {isUnmeasured(overview) ? 'Nothing is measured yet.' : 'Nothing of these 7 days needs attention.'}
          </Empty>
        }
      />
    </Card>
  );
}

function InAll({ sessions }: { readonly sessions: Overview['sessions'] }) {
  return <a href="/sessions?period=7d&sort=needs_attention">{sessions.attention_in_all} sessions →</a>;
}

function ofAlert({ id, rule, subject, instrument, message, severity, at }: Alert): Item {
  return {
    id: `alert ${id}`,
    what: rule.replaceAll('-', ' '),
    place: `${instrument} · ${subject}`,
    why: message,
    state: severity,
    mark: (
      <Pill tone={severity === 'critical' ? 'bad' : 'caution'}>
        {severity === 'critical' ? '✗ critical' : '▲ warning'}
      </Pill>
    ),
    cost: null,
    at,
    href: `/alerts/${encodeURIComponent(id)}`,
  };
}

function ofRun({ run, gate }: RunSummary): Item {
  return {
    id: `run ${run.id}`,
    what: run.subject,
    place: `${run.instrument} run`,
    why: gate.reasons[0] ?? '',
    state: gate.verdict,
    mark: <VerdictPill verdict={gate.verdict} />,
    cost: null,
    at: run.at,
    href:
      run.instrument === 'decomposition' ? `/decomposition/runs/${encodeURIComponent(run.id)}` : '/workflow',
  };
}

function ofSession(one: ListedSession): Item {
  return {
    id: `session ${one.session_key}`,
    what: sessionName(one),
    place: sessionPlace(one),
    why: one.headline,
    state: one.q,
    mark: <Quality of={one} />,
    cost: one.cost_usd,
    at: one.started_at,
    href: sessionHref(one),
  };
}
