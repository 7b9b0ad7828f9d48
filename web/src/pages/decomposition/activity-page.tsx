import '../quality.css';
import './decomposition.css';
import { useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { View, ViewLead } from '../../parts/view.tsx';
import type { PageProps } from '../../routes.ts';

/** How extraction went: errors, latency, cost and yield. */
export function ActivityPage(_: PageProps) {
  const activity = useView('decomposition/activity', {}, ['run.stored']);
  return (
    <Page
      title="As it ran"
      live
      actions={
        <>
          <a class="chip" href="/decomposition/production">
            in production
          </a>
          <a class="chip" href="/decomposition">
            all runs
          </a>
        </>
      }
      lead={activity.data && <ViewLead of={activity.data} />}
    >
      <Show of={activity} rows={8}>
        {(data) =>
          data.blocks.length === 0 ? (
            <Card title="Nothing ran yet">
              <Empty command="assay decomposition run">No stored run has outputs. This makes one:</Empty>
            </Card>
          ) : (
            <View of={data} main="By day" />
          )
        }
      </Show>
    </Page>
  );
}
