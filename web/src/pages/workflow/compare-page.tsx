import '../quality.css';
import './workflow.css';
import type { IntervalsChart } from '../../../../src/report/chart.ts';
import { formatAmount, formatPercent, formatPoints, formatRatio } from '../../../../src/report/number.ts';
import { type MetricNames, metricName, useMetrics } from '../../api/use-metrics.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Chart } from '../../parts/chart.tsx';
import { Measured } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { experimentHref } from './addresses.ts';
import { ClaimsCard } from './claims-card.tsx';
import type { Comparison } from './shapes.ts';
import { verdictTone } from './verdict-tone.ts';

/** Is the new version of a review better, or is the difference noise? */
export function WorkflowComparePage({ query }: PageProps) {
  const [experiment, a, b] = ['experiment', 'a', 'b'].map((key) => query.get(key) ?? undefined);
  const named = a !== undefined && b !== undefined;
  const compared = useResource<Comparison>(named ? 'workflow/compare' : undefined, {
    experiment,
    a,
    b,
    insist: query.get('insist') ?? undefined,
  });
  return (
    <Page
      title={named ? `${a} → ${b}` : 'Two workflows'}
      actions={
        <>
          {named && (
            <button type="button" class="chip" onClick={() => choose({ a: b, b: a })}>
              swap
            </button>
          )}
          <a class="chip" href={experiment === undefined ? '/workflow' : experimentHref(experiment)}>
            {experiment === undefined ? 'all workflows' : 'the experiment'}
          </a>
        </>
      }
      {...(compared.data && { lead: <Answer of={compared.data} /> })}
    >
      {named ? (
        <Show of={compared} rows={8}>
          {(data) => <Parts of={data} />}
        </Show>
      ) : (
        <Empty>The address names no two workflows.</Empty>
      )}
    </Page>
  );
}

function Answer({ of: { verdict, because, paired } }: { readonly of: Comparison }) {
  const { text, tone } = verdictTone(verdict);
  const difference = paired?.difference;
  return (
    <>
      <Pill tone={tone}>{text}</Pill>{' '}
      {difference?.value != null && (
        <>
          <b>Detection {formatPoints(difference.value)}</b>
          {difference.low !== null &&
            difference.high !== null &&
            ` ${interval(difference.low, difference.high)}`}
          ;{' '}
        </>
      )}
      <span class="soft">{because}.</span>
    </>
  );
}

function interval(low: number, high: number): string {
  const bare = (points: number) => formatPoints(points).replace(' points', '');
  return `[${bare(low)}, ${bare(high)}]`;
}

function Parts({ of }: { readonly of: Comparison }) {
  const names = useMetrics('workflow');
  const chart = chartOf(of);
  return (
    <>
      <div class="grid g2">
        <Card title="Metrics" aside={sizes(of)}>
          <Changes of={of} names={names} />
        </Card>
        <Card title="The difference">
          {chart.rows.length > 0 ? <Chart chart={chart} /> : <p class="sub">Nothing could be compared.</p>}
          <Evidence of={of} />
        </Card>
      </div>
      <Card title="Errors that moved" aside="share of runs that found it">
        <Errors of={of} />
      </Card>
      <div class="grid g2even">
        <Confounders of={of} />
        <ClaimsCard claims={of.claims} notes={of.notes} />
      </div>
    </>
  );
}

function sizes({ baseline, candidate, paired }: Comparison): string {
  const runs = `${formatAmount(baseline.runs, 'run')} against ${candidate.runs}`;
  return paired === null ? runs : `${formatAmount(paired.errors, 'error')}, ${runs}`;
}

type Changed = Comparison['primary'];

function Changes({
  of: { primary, by_severity, secondary },
  names,
}: {
  readonly of: Comparison;
  readonly names: MetricNames;
}) {
  const rows = [primary, ...by_severity, ...secondary].filter(
    (one, index, all) => all.findIndex(({ metric }) => metric === one.metric) === index,
  );
  const name = (one: Changed) => metricName(names, one.metric);
  const perTokens = (one: Changed) => name(one).unit === 'points-per-1k-tokens';
  return (
    <Table
      caption="Metrics of both workflows"
      rows={rows}
      rowKey={({ metric }) => metric}
      columns={[
        {
          key: 'metric',
          header: 'metric',
          names: true,
          value: ({ metric }) => metric,
          show: (one) => (
            <div class="named-long">
              {name(one).title}
              <span class="sub">
                {one.metric === primary.metric && ' decides'}
                {perTokens(one) && ' per 1k tokens'}
              </span>
            </div>
          ),
        },
        {
          key: 'baseline',
          header: 'before',
          numeric: true,
          value: ({ baseline }) => baseline.value,
          show: (one) => <Measured of={one.baseline} unit={perTokens(one) ? 'score' : name(one).unit} />,
        },
        {
          key: 'candidate',
          header: 'after',
          numeric: true,
          value: ({ candidate }) => candidate.value,
          show: (one) => <Measured of={one.candidate} unit={perTokens(one) ? 'score' : name(one).unit} />,
        },
        {
          key: 'p',
          header: 'p',
          numeric: true,
          hint: 'Corrected for being one of many, where it is one of many',
          value: ({ p_holm, p }) => p_holm ?? p,
          show: ({ p_holm, p }) => <P of={p_holm ?? p} />,
        },
      ]}
    />
  );
}

function P({ of }: { readonly of: number | null }) {
  if (of === null) return <span class="faint">–</span>;
  return <>{of < 0.001 ? '<0.001' : of.toFixed(3)}</>;
}

/** What the difference could be, by the two ways of looking at it. */
function chartOf({ paired, welch }: Comparison): IntervalsChart {
  const row = (label: string, { value, low, high }: Comparison['primary']['baseline']) => {
    if (value === null) return [];
    const points = formatPoints(value).replace(' points', '');
    if (low === null || high === null) return [{ label, value, text: points }];
    return [{ label, value, low, high, text: `${points} ${interval(low, high)}` }];
  };
  return {
    kind: 'intervals',
    title: 'Change of the detection rate, in points',
    unit: 'count',
    rows: [
      ...(paired === null ? [] : row('errors, paired', paired.difference)),
      ...(welch === null ? [] : row('runs (Welch)', welch.difference)),
    ],
    lines: [{ label: 'no change', value: 0 }],
  };
}

function Evidence({
  of: { paired, documented_rule: rule, runs_needed, improvement_delta },
}: {
  readonly of: Comparison;
}) {
  const power = paired?.power;
  return (
    <ul class="notes">
      {paired !== null && (
        <li>
          Paired over {formatAmount(paired.errors, 'error')}: {formatPercent(paired.before)} →{' '}
          {formatPercent(paired.after)}, p <P of={paired.p} />
        </li>
      )}
      <li>
        Documented rule:{' '}
        {rule.significant === null
          ? (rule.reason ?? 'not applied')
          : rule.significant
            ? 'significant'
            : 'not significant'}
        {rule.false_alarm_rate !== undefined &&
          ` (it raises a false alarm in ${formatRatio(rule.false_alarm_rate)} of comparisons with so many runs)`}
      </li>
      {improvement_delta.value !== null && (
        <li>
          Improvement delta {formatPoints(improvement_delta.value)}
          {improvement_delta.meaning !== null && `: ${improvement_delta.meaning}`}
        </li>
      )}
      {power?.errors_for_this != null && (
        <li>To see this difference four times in five: {formatAmount(power.errors_for_this, 'error')}</li>
      )}
      {runs_needed !== null && <li>Runs needed on each side: {runs_needed}</li>}
    </ul>
  );
}

function Errors({ of: { errors } }: { readonly of: Comparison }) {
  const moved = errors
    .filter(({ before, after }) => before !== after)
    .toSorted((x, y) => Math.abs(y.after - y.before) - Math.abs(x.after - x.before));
  return (
    <Table
      caption="Errors that moved"
      rows={moved}
      rowKey={({ task, id }) => `${task} ${id}`}
      main
      columns={[
        {
          key: 'error',
          header: 'error',
          names: true,
          value: ({ id }) => id,
          show: ({ id, task, document }) => (
            <>
              {id}
              <div class="sub">{[task, document].filter((part) => part !== undefined).join(' · ')}</div>
            </>
          ),
        },
        { key: 'task', header: 'task', unseen: true, value: ({ task }) => task },
        {
          key: 'before',
          header: 'before',
          numeric: true,
          value: ({ before }) => before,
          show: ({ before }) => formatRatio(before),
        },
        {
          key: 'after',
          header: 'after',
          numeric: true,
          value: ({ after }) => after,
          show: ({ after }) => formatRatio(after),
        },
        {
          key: 'moved',
          header: 'change',
          value: ({ before, after }) => after - before,
          show: ({ before, after }) =>
            after > before ? <Pill tone="good">✓ found more</Pill> : <Pill tone="bad">✗ found less</Pill>,
        },
      ]}
      empty={<p class="sub">Every error was found as often as before.</p>}
    />
  );
}

function Confounders({ of: { confounders } }: { readonly of: Comparison }) {
  return (
    <Card title="What else differs">
      <Table
        caption="What else differs"
        rows={confounders}
        rowKey={({ name }) => name}
        columns={[
          { key: 'name', header: 'what', names: true, value: ({ name }) => name },
          {
            key: 'state',
            header: 'state',
            value: ({ state }) => state,
            show: ({ state }) => (state === 'differs' ? <Pill tone="caution">▲ differs</Pill> : state),
          },
          { key: 'before', header: 'before', value: ({ before }) => before },
          { key: 'after', header: 'after', value: ({ after }) => after },
        ]}
      />
    </Card>
  );
}
