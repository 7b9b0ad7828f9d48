import type { z } from 'zod';
import type { metricList } from '../../../src/api/schema/metrics.ts';
import type { Unit } from '../parts/measured.tsx';
import { useResource } from './use-resource.ts';

export type MetricName = {
  readonly key: string;
  readonly title: string;
  readonly unit: Unit;
  readonly question: string;
  readonly better: 'higher' | 'lower';
};

export type MetricNames = ReadonlyMap<string, MetricName>;

/** How the metrics of an instrument are called and written, by key. Until they are known, a key is its own name. */
export function useMetrics(instrument: 'decomposition' | 'workflow'): MetricNames {
  const { data } = useResource<z.infer<typeof metricList>>('metrics');
  const own = (data?.metrics ?? []).filter(({ id }) => id.startsWith(`${instrument}/`));
  return new Map(
    own.map(({ id, title, unit, question, better }) => {
      const key = id.slice(instrument.length + 1).replaceAll('-', '_');
      return [key, { key, title, unit: unit as Unit, question, better }];
    }),
  );
}

export function metricName(names: MetricNames, key: string): MetricName {
  const known = names.get(key);
  return known ?? { key, title: key.replaceAll('_', ' '), unit: 'score', question: '', better: 'higher' };
}
