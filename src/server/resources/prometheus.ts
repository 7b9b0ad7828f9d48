import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { readTotals } from '../../operations/production/read-totals.ts';
import { familiesOf } from '../prometheus/families.ts';
import { rawRoute } from '../route.ts';

const { OPENMETRICS_CONTENT_TYPE, PROMETHEUS_CONTENT_TYPE } = Registry;

/** One for each format: writing the newer one takes the `_total` off the names of counters, for good. */
const processes = new Map<string, Registry>();

/** Memory, processor, event loop: those of this process, however many servers a test opens in it. */
function processMetrics(type: string): Registry {
  const known = processes.get(type) ?? new Registry();
  if (!processes.has(type)) collectDefaultMetrics({ register: known });
  processes.set(type, known);
  return known;
}

export const PROMETHEUS = [
  rawRoute({
    method: 'GET',
    path: '/metrics',
    summary: 'Production, alerts and this process as OpenMetrics, for Prometheus to scrape',
    scope: 'read',
    isOfAll: true,
    produces: 'application/openmetrics-text',
    handle: async ({ request }, { project }) => {
      const accepted = request.headers.get('accept') ?? '';
      const isOld = accepted.includes('text/plain') && !accepted.includes('openmetrics');
      const type = isOld ? PROMETHEUS_CONTENT_TYPE : OPENMETRICS_CONTENT_TYPE;
      const registry = new Registry() as Registry<typeof type>;
      registry.setContentType(type);
      for (const family of familiesOf(await readTotals(project))) {
        // Not counted in this process but read from the store: the library writes it, and asks for no more than this.
        const metric = { ...family, get: async () => ({ ...family, name: metric.name }) };
        registry.registerMetric(metric as unknown as Metric);
      }
      for (const metric of processMetrics(type).getMetricsAsArray())
        registry.registerMetric(metric as unknown as Metric);
      return new Response(await registry.metrics(), {
        headers: { 'content-type': type, 'cache-control': 'no-store' },
      });
    },
  }),
];
