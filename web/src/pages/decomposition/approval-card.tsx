import { type MetricNames, metricName } from '../../api/use-metrics.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { compareHref, runHref, shortId } from './addresses.ts';
import type { Approvals } from './shapes.ts';

export function ApprovalCard({ names }: { readonly names: MetricNames }) {
  const approvals = useResource<Approvals>('decomposition/approvals', { limit: 200 }, ['run.stored']);
  return (
    <Card title="Approvals" aside="falls that somebody let through, or gave a reason for">
      <Show of={approvals}>
        {({ items }) => (
          <Table
            caption="Approvals"
            rows={items}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'metric',
                header: 'metric',
                names: true,
                value: ({ metric }) => metric,
                show: ({ metric }) => metricName(names, metric).title,
              },
              {
                key: 'reason',
                header: 'why',
                value: ({ reason }) => reason,
                show: ({ reason }) => <div class="words">{reason}</div>,
              },
              { key: 'who', header: 'who', value: ({ who }) => who },
              {
                key: 'run_id',
                header: 'run',
                value: ({ run_id }) => run_id,
                show: ({ run_id, baseline_run_id }) => (
                  <div class="links">
                    <a href={runHref(run_id)}>{shortId(run_id)}</a>
                    <a class="sub" href={compareHref(baseline_run_id, run_id)}>
                      against {shortId(baseline_run_id)}
                    </a>
                  </div>
                ),
              },
              {
                key: 'baseline_run_id',
                header: 'baseline',
                unseen: true,
                value: (one) => one.baseline_run_id,
              },
              { key: 'at', header: 'when', value: ({ at }) => at, show: ({ at }) => <When at={at} /> },
            ]}
            empty={
              <Empty command={'assay decomposition compare --approve "why"'}>
                Nothing was let through. A regression that somebody accepts is written down by:
              </Empty>
            }
          />
        )}
      </Show>
    </Card>
  );
}
