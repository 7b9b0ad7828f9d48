import { metricList } from '../../api/schema/metrics.ts';
import { listMetrics } from '../../operations/list-metrics.ts';
import { jsonRoute } from '../route.ts';

export const METRICS = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/metrics',
    summary: 'The metrics of all instruments: what they ask, how they are computed, where their lines are',
    scope: 'read',
    answer: metricList,
    handle: async () => ({ metrics: listMetrics() }),
  }),
];
