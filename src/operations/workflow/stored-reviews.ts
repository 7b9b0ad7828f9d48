import type { Verdict } from '../../judge/verdict.ts';
import type { RunRecord } from '../../store/store.ts';
import { workflowMetrics } from '../../workflow/catalog.ts';
import type { RunEvidence } from '../../workflow/evidence.ts';
import { summaryOf } from '../../workflow/summary.ts';
import type { ReviewFacts, ScoredReviews } from './score-reviews.ts';

export type StoredReviews = Omit<ScoredReviews, 'minimums' | 'truth'> & {
  readonly truth: Pick<ScoredReviews['truth'], 'task' | 'hash' | 'version'>;
};

/** Scored reviews as they were given when they were measured; runs of the first release kept too little of it. */
export function storedReviews(record: RunRecord, verdict: Verdict): StoredReviews | undefined {
  if (record.facts === undefined) return undefined;
  // Written by this instrument, and its hash is checked.
  const { task, truthVersion, mappings, notes } = record.facts as unknown as ReviewFacts;
  const runs = record.cases.flatMap(({ evidence }) =>
    evidence === undefined ? [] : [evidence as unknown as RunEvidence],
  );
  const perCase = Object.fromEntries(record.cases.map(({ caseId, metrics }) => [caseId, metrics]));
  return {
    verdict,
    truth: { task, hash: record.truthHash ?? '', version: truthVersion },
    summary: summaryOf(runs, workflowMetrics(), { suite: record.metrics, perCase }),
    mappings,
    notes,
  };
}
