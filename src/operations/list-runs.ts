import type { Gate } from '../judge/gate.ts';
import type { JudgedMetric } from '../judge/verdict.ts';
import type { RunSummary } from '../store/store.ts';
import type { Ports } from './ports.ts';
import { storedGate, storedMetrics } from './stored-verdict.ts';

export type ListedRun = Omit<RunSummary, 'metrics' | 'verdict'> & {
  readonly metrics: readonly JudgedMetric[];
  readonly gate: Gate;
};

/** The runs of the store, newest first. Looking makes no store where there is none. */
export async function listRuns(ports: Ports): Promise<ListedRun[]> {
  const runs = await (await ports.store('looking')).listRuns();
  return Promise.all(
    runs.map(async (run) => ({ ...run, metrics: await storedMetrics(run), gate: storedGate(run) })),
  );
}
