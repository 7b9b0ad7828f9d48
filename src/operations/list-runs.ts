import type { RunFacts, SuiteFacts } from '../decomposition/suite-run.ts';
import type { Gate } from '../judge/gate.ts';
import type { JudgedMetric } from '../judge/verdict.ts';
import type { Json, RunQuery, RunSummary } from '../store/store.ts';
import type { Ports } from './ports.ts';
import { storedGate, storedMetrics } from './stored-verdict.ts';

export type ListedRun = Omit<RunSummary, 'metrics' | 'verdict' | 'facts'> & {
  readonly metrics: readonly JudgedMetric[];
  readonly gate: Gate;
  /** What was run, where the instrument says so. */
  readonly names?: RunFacts;
};

/** The runs of the store, newest first. Looking makes no store where there is none. */
export async function listRuns(
  ports: Ports,
  query: Pick<RunQuery, 'instrument' | 'subject' | 'after' | 'limit'> = {},
): Promise<ListedRun[]> {
  const runs = await (await ports.store('looking')).listRuns(query);
  return Promise.all(
    runs.map(async ({ facts, ...run }) => ({
      ...run,
      ...(facts !== undefined && run.instrument === 'decomposition' && namesIn(facts)),
      metrics: await storedMetrics(run),
      gate: storedGate(run),
    })),
  );
}

/** How many sessions a store holds, and where it is. */
export async function countSessions(
  ports: Ports,
): Promise<{ readonly sessions: number; readonly address: string }> {
  const store = await ports.store('looking');
  return { sessions: await store.countSessions(), address: store.address };
}

function namesIn(facts: Json): Pick<ListedRun, 'names'> {
  // Written by that instrument.
  return { names: (facts as unknown as SuiteFacts).names };
}
