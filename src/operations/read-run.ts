import { AssayError } from '../errors.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Json, RunSummary } from '../store/store.ts';
import type { Ports } from './ports.ts';
import { storedVerdict } from './stored-verdict.ts';

export type ReadRunRequest = {
  /** The beginning of an id is enough while it is unique. */
  readonly id: string;
};

export type StoredRun = {
  readonly verdict: Verdict;
  /** Case id → its evidence, which only the instrument that wrote it understands. */
  readonly evidence: ReadonlyMap<string, Json>;
};

/** One run of the store, with the verdict it got then. */
export async function readRun({ id }: ReadRunRequest, ports: Ports): Promise<StoredRun> {
  const store = await ports.store('looking');
  const runs = await store.listRuns();
  const matching = runs.filter((run) => run.runId.startsWith(id));
  const found = matching.find((run) => run.runId === id) ?? (matching.length === 1 ? matching[0] : undefined);
  const record = found && (await store.readRun(found.runId));
  if (record === undefined) throw notFound(matching, id);
  return {
    verdict: await storedVerdict(record),
    evidence: new Map(
      record.cases.flatMap(({ caseId, evidence }) => (evidence === undefined ? [] : [[caseId, evidence]])),
    ),
  };
}

function notFound(matching: readonly RunSummary[], id: string): AssayError {
  const why = matching.length === 0 ? 'no run starts with' : `${matching.length} runs start with`;
  return new AssayError('USAGE', `${why} "${id}"`, { remedy: 'The list of the runs has their ids.' });
}
