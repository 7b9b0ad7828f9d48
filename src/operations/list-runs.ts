import type { ListedRun } from '../api/schema/decomposition.ts';
import type { SuiteFacts } from '../decomposition/suite-run.ts';
import type { Json, RunQuery } from '../store/store.ts';
import type { Ports } from './ports.ts';
import { storedGate, storedMetrics } from './stored-verdict.ts';

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
