import { AssayError } from '../errors.ts';
import { type AnyMetric, CATALOG } from '../measure/catalog.ts';
import { didYouMean } from '../suggest.ts';

export type ListMetricsRequest = {
  /** Only this one; its name without the instrument is enough. */
  readonly id?: string | undefined;
};

/** The metrics of all instruments, in report order. */
export function listMetrics({ id }: ListMetricsRequest = {}): readonly AnyMetric[] {
  if (id === undefined) return CATALOG;
  const metric = CATALOG.find((one) => one.id === id || one.id.endsWith(`/${id}`));
  if (metric !== undefined) return [metric];
  const names = CATALOG.flatMap((one) => [one.id, one.id.split('/')[1] ?? '']);
  throw new AssayError('USAGE', `there is no metric "${id}"${didYouMean(id, names)}`, {
    remedy: 'The list of all metrics has their ids.',
  });
}
