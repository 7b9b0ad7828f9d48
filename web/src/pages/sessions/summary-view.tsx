/** What sessions come to, by what they are grouped by or over time. */
import { useView } from '../../api/use-resource.ts';
import { useChartsSoon } from '../../parts/chart.tsx';
import { Segments } from '../../parts/choices.tsx';
import { Show } from '../../parts/states.tsx';
import { View } from '../../parts/view.tsx';
import { choose, withQuery } from '../../router/location.ts';
import { NoSessions } from './list-view.tsx';
import { narrowingOf, periodOf } from './session-filters.ts';

const KINDS = {
  by: ['project', 'model', 'agent', 'task_type'],
  step: ['day', 'week', 'month'],
} as const;

export function SummaryView({
  query,
  kind,
}: {
  readonly query: URLSearchParams;
  readonly kind: 'by' | 'step';
}) {
  useChartsSoon();
  const asked = query.get(kind);
  const usual = kind === 'by' ? 'project' : periodOf(query).days === undefined ? 'week' : 'day';
  const by = KINDS[kind].find((one) => one === asked) ?? usual;
  const summary = useView('sessions/summary', { ...narrowingOf(query), by }, ['session.scored']);
  const words = by.replace('_', '-');
  return (
    <>
      <div class="row spread">
        <Segments
          label={kind === 'by' ? 'By' : 'Step'}
          choices={KINDS[kind].map((value) => ({
            value,
            name: kind === 'by' ? value.replace('_', ' ') : `${value}s`,
          }))}
          chosen={by}
          onChoose={(value) => choose({ [kind]: value })}
        />
      </div>
      <Show of={summary} rows={8}>
        {(data) =>
          data.blocks.length === 0 ? (
            <NoSessions isNarrowed />
          ) : (
            <View
              of={data}
              main={`By ${words}`}
              href={({ group }) =>
                kind === 'step' || typeof group !== 'string'
                  ? undefined
                  : withQuery({ [by]: group, view: undefined, by: undefined })
              }
            />
          )
        }
      </Show>
    </>
  );
}
