import { expect, it } from 'vitest';
import { requests } from '../../operations/alerts/testing/requests.ts';
import { openStore } from '../../store/open.ts';
import { startTestServer } from '../testing/test-server.ts';

async function service(versions: number) {
  const server = await startTestServer({ withSessions: false });
  const store = await openStore(server.store);
  const bins = [...Array<number>(15).fill(0), 2, ...Array<number>(4).fill(0)];
  await store.appendDecompositions(
    requests('a', 100, Date.now(), (i) => ({
      promptVersion: `v${i % versions}`,
      model: 'm',
      status: i % 10 === 0 ? 'error' : 'ok',
      latencyMs: i < 50 ? 900 : 6000,
      confidence: { n: 2, sum: 1.55, bins },
    })),
  );
  await store.close();
  const response = await server.ask('/metrics');
  return { response, text: await response.text() };
}

it('is OpenMetrics with conventional names and units, from what the store has', async () => {
  const { response, text } = await service(1);
  expect(response.headers.get('content-type')).toContain('application/openmetrics-text; version=1.0.0');
  expect(text).toMatch(/\n# EOF\n$/);
  const labels = 'prompt_version="v0",model="m"';
  expect(text).toContain(`assay_decompositions_total{${labels},outcome="error"} 10`);
  expect(text).toContain(`assay_decompositions_total{${labels},outcome="ok"} 90`);
  expect(text).toContain(`assay_decomposition_duration_seconds_bucket{${labels},le="1"} 50`);
  expect(text).toContain(`assay_decomposition_duration_seconds_bucket{${labels},le="5"} 50`);
  expect(text).toContain(`assay_decomposition_duration_seconds_bucket{${labels},le="+Inf"} 100`);
  expect(text).toContain(`assay_decomposition_confidence_ratio_bucket{${labels},le="0.75"} 0`);
  expect(text).toContain(`assay_decomposition_confidence_ratio_bucket{${labels},le="0.8"} 200`);
  expect(text).toContain(`assay_decomposition_cost_usd_count{${labels}} 100`);
  expect(text).toContain('process_cpu_seconds_total ');
});

it('tells a bounded number of versions apart, and loses no request over it', async () => {
  const { text } = await service(50);
  const counts = [...text.matchAll(/^assay_decompositions_total\{prompt_version="([^"]*)".*\} (\d+)$/gm)];
  expect(new Set(counts.map(([, version]) => version)).size).toBe(21);
  expect(counts.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(100);
});

it('speaks the older text format to who asks for it', async () => {
  const { ask } = await startTestServer({ withSessions: false });
  const response = await ask('/metrics', { headers: { accept: 'text/plain' } });
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).not.toContain('# EOF');
});
