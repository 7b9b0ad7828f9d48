import type { Gate } from '../judge/gate.ts';
import type { JudgedMetric } from '../judge/verdict.ts';
import { storeExists } from '../store/open.ts';
import type { RunSummary } from '../store/store.ts';
import type { Ports } from './ports.ts';
import { storedGate, storedMetrics } from './stored-verdict.ts';

export type ListRunsRequest = {
  /** The address of the store. */
  readonly store: string;
};

export type ListedRun = Omit<RunSummary, 'metrics' | 'verdict'> & {
  readonly metrics: readonly JudgedMetric[];
  readonly gate: Gate;
};

/** The runs of a store, newest first. Looking makes no store where there is none. */
export async function listRuns({ store: address }: ListRunsRequest, ports: Ports): Promise<ListedRun[]> {
  if (!storeExists(address)) return [];
  const runs = await (await ports.store()).listRuns();
  return runs.map((run) => ({ ...run, metrics: storedMetrics(run), gate: storedGate(run) }));
}
