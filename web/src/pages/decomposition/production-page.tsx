import '../quality.css';
import './decomposition.css';
import type { z } from 'zod';
import type { decompositionActivity } from '../../../../src/api/schema/decomposition-activity.ts';
import type { production } from '../../../../src/api/schema/production.ts';
import { formatAmount, formatValue } from '../../../../src/report/number.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { DriftCard } from './drift-card.tsx';
import { ExperimentsCard } from './experiments-card.tsx';
import { ConfidenceChart, LatencyChart, RequestsChart } from './production-charts.tsx';
import { BesideGolden, SampleTable, SpanTable, VersionTable } from './production-tables.tsx';

export type ProductionData = z.infer<typeof production>;
export type Activity = z.infer<typeof decompositionActivity>;

/** How far back is looked, and in which steps. */
const VIEWS = {
  now: { name: 'last hour', by: 'minute', minutes: 60 },
  day: { name: 'last day', by: 'hour', minutes: 24 * 60 },
  month: { name: 'last 30 days', by: 'day', minutes: 30 * 24 * 60 },
} as const;
type View = keyof typeof VIEWS;
const RATE = '/decomposition/production/rate';

/** A service in production: how it does now, by the hour and by the day, beside the golden cases and a week before. */
export function ProductionPage({ query }: PageProps) {
  const asked = query.get('view');
  const view: View = asked === 'day' || asked === 'month' ? asked : 'now';
  const { by, minutes } = VIEWS[view];
  const data = useResource<ProductionData>('production', { by, last_minutes: minutes }, [
    'production.recorded',
    'rating.saved',
  ]);
  const golden = useResource<Activity>('decomposition/activity', {}, ['run.stored']);
  return (
    <Page
      title="In production"
      live
      actions={
        <>
          <Segments
            label="Time"
            choices={Object.entries(VIEWS).map(([value, { name }]) => ({ value, name }))}
            chosen={view}
            onChoose={(value) => choose({ view: value === 'now' ? undefined : value })}
          />
          <a class="chip" href="/decomposition">
            golden cases
          </a>
          <a class="chip" href={RATE}>
            rate outputs
          </a>
        </>
      }
      {...(data.data && { lead: <Lead data={data.data} view={view} /> })}
    >
      <Show of={data} rows={8}>
        {(shown) =>
          shown.whole.requests === 0 ? (
            <Nothing view={view} />
          ) : (
            <Told data={shown} view={view} golden={golden.data?.whole} />
          )
        }
      </Show>
      <DriftCard />
      <ExperimentsCard />
    </Page>
  );
}

function Lead({ data, view }: { readonly data: ProductionData; readonly view: View }) {
  const { requests, error_rate: errors, latency_p95_ms: latency } = data.whole;
  if (requests === 0) return <>No request in the {VIEWS[view].name}.</>;
  return (
    <>
      <b>{formatAmount(requests, 'request')}</b> in the {VIEWS[view].name}
      {errors.value !== null && <>, {formatValue(errors.value, 'ratio')} failed</>}
      {latency.value !== null && <>, 95 of 100 within {formatValue(latency.value, 'ms')}</>}.{' '}
      <Acceptable sample={data.sample} />
    </>
  );
}

function Acceptable({ sample }: { readonly sample: ProductionData['sample'] }) {
  const { acceptable, rated, sampled } = sample;
  if (acceptable.value === null)
    return (
      <span class="soft">
        {sampled === 0
          ? 'None was drawn for a closer look.'
          : `Nobody has rated the ${formatAmount(sampled, 'sampled output')} yet.`}
      </span>
    );
  return (
    <span class="soft">
      {formatValue(acceptable.value, 'ratio')} of the outputs are acceptable, by {rated} that were rated.
    </span>
  );
}

function Nothing({ view }: { readonly view: View }) {
  return (
    <Card title="No request yet">
      <Empty command="assay example production">
        Nothing was recorded in the {VIEWS[view].name}. A service sends its requests to
        /api/v1/decompositions, or wraps its function with monitor(). This runs a small service and watches
        it:
      </Empty>
    </Card>
  );
}

function Told({
  data,
  view,
  golden,
}: {
  readonly data: ProductionData;
  readonly view: View;
  readonly golden: Activity['whole'] | undefined;
}) {
  const step = VIEWS[view].by;
  return (
    <>
      <div class="grid g2">
        <Card title={`Requests per ${step}`}>
          <RequestsChart data={data} />
        </Card>
        <Card title="Latency">
          <LatencyChart data={data} />
        </Card>
      </div>
      <div class="grid g2">
        <Card title="Beside its targets and the golden cases">
          <BesideGolden data={data} golden={golden} />
        </Card>
        <Card title="Confidence">
          <ConfidenceChart data={data} />
        </Card>
      </div>
      <div class="grid g2even">
        <Card title="What the sample says" aside={<a href={RATE}>rate outputs</a>}>
          <SampleTable sample={data.sample} />
        </Card>
        <Card title="By prompt version and model">
          <VersionTable versions={data.versions} />
        </Card>
      </div>
      <Card title={`By ${step}`}>
        <SpanTable spans={data.spans} by={data.by} />
      </Card>
    </>
  );
}
