import { formatPercent } from '../../../../src/report/number.ts';
import type { RunSummary } from '../../api/shapes.ts';
import { Card } from '../../parts/card.tsx';
import { Figure } from '../../parts/figure.tsx';
import { Intervals } from '../../parts/intervals.tsx';
import { Empty } from '../../parts/states.tsx';
import { When } from '../../parts/when.tsx';
import { type Instrument, metricOf } from './instrument.ts';

/** The detection rate, in percent. */
const RATE = 'dr';
const SHOWN = 4;

export function WorkflowCard({ runs: { runs } }: { readonly runs: Instrument }) {
  const subjects = [...Map.groupBy(runs, ({ run }) => run.subject).values()].flatMap(
    ([newest]) => newest ?? [],
  );
  const [latest] = subjects;
  return (
    <Card title="Workflow" aside={<a href="/workflow">experiments →</a>}>
      {latest === undefined ? (
        <Empty command="assay workflow score">
          No review is kept in this project yet. This scores a workflow against its planted errors:
        </Empty>
      ) : (
        <Latest latest={latest} subjects={subjects} />
      )}
    </Card>
  );
}

function Latest({
  latest,
  subjects,
}: {
  readonly latest: RunSummary;
  readonly subjects: readonly RunSummary[];
}) {
  const rate = metricOf(latest, RATE);
  const rows = subjects.slice(0, SHOWN).flatMap((one) => {
    const metric = metricOf(one, RATE);
    return metric?.value === null || metric === undefined
      ? []
      : [{ label: one.run.subject, value: metric.value, low: metric.low, high: metric.high }];
  });
  return (
    <>
      <Figure
        value={rate?.value === null || rate === undefined ? '–' : formatPercent(rate.value)}
        beside={`of planted errors found by ${latest.run.subject}`}
      />
      <Intervals rows={rows} domain={[0, 100]} format={formatPercent} ends={['0%', '100%']} />
      <p class="sub">
        on these errors only · <When at={latest.run.at} />
      </p>
    </>
  );
}
