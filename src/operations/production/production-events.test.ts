import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { productionView } from '../../decomposition/views/production-view.ts';
import { chartDrawing } from '../../report/chart-drawing.ts';
import { checkAlerts } from '../alerts/check-alerts.ts';
import { requests } from '../alerts/testing/requests.ts';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { readProduction } from './read-production.ts';

const NOW = Date.parse('2026-11-16T12:00:30.000Z');
const HOUR = 3_600_000;
/** One concept with a confidence of 0.8, and relationships. */
const FOUND = {
  relationships: 30,
  confidence: { n: 1, sum: 0.8, bins: Array.from({ length: 20 }, (_, i) => (i === 16 ? 1 : 0)) },
};
let ports: OpenPorts;

beforeEach(() => {
  ports = defaultPorts({ now: () => new Date(NOW), identity: () => 'ada' });
  onTestFinished(() => ports.close());
});

it('marks alerts and new prompt versions in the charts of their time, and nothing else', async () => {
  const store = await ports.store();
  await store.appendDecompositions([
    ...requests('a', 60, NOW - 40 * HOUR, () => ({ promptVersion: 'v1', ...FOUND })),
    ...requests('b', 60, NOW - 9 * HOUR, () => ({ promptVersion: 'v1', ...FOUND })),
    ...requests('c', 60, NOW - 5 * HOUR, () => ({ promptVersion: 'v2', ...FOUND })),
    ...requests('d', 60, NOW, (i) => ({ promptVersion: 'v2', ...(i % 4 === 0 && { status: 'error' }) })),
  ]);
  await checkAlerts({ rules: {} }, ports);
  const since = new Date(NOW - 24 * HOUR).toISOString();
  const production = await readProduction({ by: 'hour', since }, ports);
  expect(production.events.map(({ kind, label, at }) => [kind, label, at.slice(11, 16)])).toEqual([
    ['prompt', 'v2', '06:00'],
    ['alert', 'errors-high', '12:00'],
  ]);
  const charts = productionView(production).blocks.flatMap((one) =>
    one.kind === 'chart' ? [one.chart] : [],
  );
  const drawn = charts.map((chart) => JSON.stringify(chartDrawing(chart, { width: 600 }).options.marks));
  expect(drawn[0]).toContain('first requests with prompt v2');
  const titles = charts.map(({ title }) => title).join('\n');
  expect(titles).toMatch(/concepts and [\d.]+ relationships per request/);
  expect(titles).toMatch(/Median confidence of concepts: 0\.\d\d at first/);
});
