import type { Category } from './signals/signal.ts';

/** As much of a scored session as the metrics over many of them need. */
export type MeasuredSession = {
  readonly q?: number | undefined;
  readonly categories: Readonly<Partial<Record<Category, number | undefined>>>;
};
