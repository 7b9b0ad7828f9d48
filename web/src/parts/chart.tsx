/** A chart of the report, drawn in the browser: its finding as title, the exact values underneath. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Chart as ChartData, ScatterChart } from '../../../src/report/chart.ts';
import type { Drawn } from '../charts/draw.ts';
import { Failed, Loading } from './states.tsx';
import { TextTableView } from './text-table.tsx';

const WIDEST = 980;

const loadDrawing = () => import('../charts/draw.ts');

/** For pages with charts: loads the plotting code while the data loads. */
export function useChartsSoon(): void {
  useEffect(() => void loadDrawing().catch(() => undefined), []);
}

export function Chart({ chart, table = true }: { readonly chart: ChartData; readonly table?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [drawn, setDrawn] = useState<Drawn>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (box.current === null) return;
    const watch = new ResizeObserver(([entry]) =>
      setWidth(Math.min(WIDEST, Math.floor(entry?.contentRect.width ?? 0))),
    );
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const identity = JSON.stringify(chart);
  // An equal chart is drawn once.
  useEffect(() => {
    if (width === 0) return;
    let wanted = true;
    loadDrawing().then(
      ({ draw }) => wanted && setDrawn(draw(chart, width)),
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, [identity, width]);
  useEffect(() => {
    if (drawn !== undefined) box.current?.replaceChildren(drawn.svg);
  }, [drawn]);
  return (
    <figure class="chart">
      <figcaption>{chart.title}</figcaption>
      <div ref={box} class="drawing" />
      {chart.kind === 'scatter' && <ScatterKey chart={chart} />}
      {drawn === undefined && !failed && <Loading rows={4} />}
      {failed && <Failed title="The chart could not be drawn" />}
      {table && drawn !== undefined && (
        <details>
          <summary>Exact values</summary>
          <TextTableView table={drawn.table} />
        </details>
      )}
    </figure>
  );
}

/** In the order in which a chart gives them to its groups. */
const SHAPES = ['●', '■', '▲', '◆'];

/** The legend of a scatter plot, where it has more than one shape. */
function ScatterKey({ chart }: { readonly chart: ScatterChart }) {
  const groups = [...new Set(chart.points.map(({ group }) => group ?? ''))];
  if (groups.length < 2) return null;
  return (
    <p class="sub">
      {groups.map((group, index) => (
        <span key={group} class="key">
          <span style={{ color: `var(--series-${index + 1})` }} aria-hidden="true">
            {SHAPES[index % SHAPES.length]}
          </span>{' '}
          {group}
        </span>
      ))}
    </p>
  );
}
