import '../quality.css';
import './decomposition.css';
import { formatCents, formatDate, formatDuration } from '../../../../src/report/number.ts';
import { useMetrics } from '../../api/use-metrics.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Command } from '../../parts/command.tsx';
import { Page } from '../../parts/page.tsx';
import { Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import type { PageProps } from '../../routes.ts';
import { compareHref, shortId } from './addresses.ts';
import { CaseHeatmap } from './case-heatmap.tsx';
import { RunAnswer } from './run-answer.tsx';
import { RunMetrics } from './run-metrics.tsx';
import type { SuiteRun } from './shapes.ts';

export function RunPage({ params: { id = '' } }: PageProps) {
  const run = useResource<SuiteRun>(`runs/${encodeURIComponent(id)}`);
  const names = useMetrics('decomposition');
  return (
    <Page
      title={run.data?.run.subject ?? `Run ${shortId(id)}`}
      actions={
        <a class="chip" href="/decomposition">
          all runs
        </a>
      }
      {...(run.data && { lead: <RunAnswer run={run.data} /> })}
    >
      <Show of={run} rows={10}>
        {(data) => (
          <>
            <p class="sub facts">{factsOf(data)}</p>
            <div class="grid g2">
              <Card
                title="The suite"
                aside={
                  data.comparison && (
                    <a href={compareHref(data.comparison.baseline.id, data.run.id)}>beside its baseline</a>
                  )
                }
              >
                <RunMetrics metrics={data.suite.metrics} changes={data.comparison?.metrics} names={names} />
              </Card>
              <Gate run={data} />
            </div>
            <Card title="Cases" aside="the worst case first">
              <CaseHeatmap run={data.run.id} cases={data.cases} names={names} />
            </Card>
          </>
        )}
      </Show>
    </Page>
  );
}

function factsOf({ run, suite }: SuiteRun): string {
  const { cost_usd, latency_ms } = suite;
  return [
    formatDate(run.at),
    run.prompt ?? undefined,
    run.model ?? undefined,
    `extractor ${run.extractor}`,
    `scorer ${run.scorer}`,
    suite.truth_hash === null ? undefined : `golden cases ${shortId(suite.truth_hash)}`,
    latency_ms && `${formatDuration(latency_ms.mean)} per case`,
    cost_usd && `${formatCents(cost_usd.mean)} per case`,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** Why the verdict is what it is, and what has to be said beside the numbers. */
function Gate({ run: { gate, notes, run } }: { readonly run: SuiteRun }) {
  return (
    <Card title="Why this verdict">
      <Table
        caption="Checks of the gate"
        rows={gate.checks.filter(({ outcome }) => outcome !== 'passed')}
        rowKey={({ id }) => id}
        columns={[
          { key: 'outcome', header: 'outcome', value: ({ outcome }) => outcome },
          {
            key: 'reason',
            header: 'why',
            value: ({ reason }) => reason,
            show: ({ reason }) => <div class="words">{reason}</div>,
          },
          { key: 'id', header: 'check', unseen: true, value: ({ id }) => id },
        ]}
        empty={
          <p class="sub">{gate.checks.length === 0 ? gate.reasons.join('; ') : 'Every check passed.'}</p>
        }
      />
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <p class="sub">In a terminal:</p>
      <Command text={`assay runs ${shortId(run.id)}`} />
    </Card>
  );
}
