import type { SuiteRun } from '../decomposition/suite-run.ts';
import { AssayError } from '../errors.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { RunRecord, RunSummary, Store } from '../store/store.ts';
import type { Ports } from './ports.ts';
import { storedVerdict } from './stored-verdict.ts';
import type { StoredReviews } from './workflow/score-reviews.ts';

export type ReadRunRequest = {
  /** The beginning of an id is enough while it is unique. */
  readonly id: string;
};

/** A run with what its instrument had to say of it; one of the first release is no more than its verdict. */
export type StoredRun = {
  readonly verdict: Verdict;
  readonly suite?: SuiteRun;
  readonly reviews?: StoredReviews;
};

/** One run of the store, with the verdict it got then. */
export async function readRun({ id }: ReadRunRequest, ports: Ports): Promise<StoredRun> {
  const store = await ports.store('looking');
  const record = await findRun(store, id);
  const verdict = await storedVerdict(record, store);
  return { verdict, ...(await DETAILS[record.instrument]?.(record, verdict)) };
}

/** A run by its id or the beginning of it; only a beginning makes it look through all of them. */
export async function findRun(store: Pick<Store, 'readRun' | 'listRuns'>, id: string): Promise<RunRecord> {
  const exact = await store.readRun(id);
  if (exact !== undefined) return exact;
  const matching = (await store.listRuns()).filter((run) => run.runId.startsWith(id));
  const [only] = matching;
  const record = only && matching.length === 1 ? await store.readRun(only.runId) : undefined;
  if (record === undefined) throw notFound(matching, id);
  return record;
}

/** Loaded on demand, so that no other instrument is loaded. */
const DETAILS: Readonly<
  Record<string, (record: RunRecord, verdict: Verdict) => Promise<Partial<StoredRun>>>
> = {
  decomposition: async (record, verdict) => {
    const suite = (await import('./decomposition/stored-suite.ts')).storedSuite(record, verdict);
    return suite === undefined ? {} : { suite, verdict: suite.verdict };
  },
  workflow: async (record, verdict) => {
    const reviews = (await import('./workflow/score-reviews.ts')).storedReviews(record, verdict);
    return reviews === undefined ? {} : { reviews };
  },
};

function notFound(matching: readonly RunSummary[], id: string): AssayError {
  const why = matching.length === 0 ? 'no run starts with' : `${matching.length} runs start with`;
  return new AssayError('RUN_NOT_FOUND', `${why} "${id}"`);
}
