import type { ScatterChart } from '../../../src/report/chart.ts';

/** In the order in which a chart gives them to its groups. */
const SHAPES = ['●', '■', '▲', '◆'];

/** What the shapes of a scatter plot stand for, where there is more than one. */
export function ScatterKey({
  chart,
  name = (group) => group,
}: {
  readonly chart: ScatterChart;
  readonly name?: (group: string) => string;
}) {
  const groups = [...new Set(chart.points.map(({ group }) => group ?? ''))];
  if (groups.length < 2) return null;
  return (
    <p class="sub">
      {groups.map((group, index) => (
        <span key={group} class="key">
          <span style={{ color: `var(--series-${index + 1})` }} aria-hidden="true">
            {SHAPES[index % SHAPES.length]}
          </span>{' '}
          {name(group)}
        </span>
      ))}
    </p>
  );
}
