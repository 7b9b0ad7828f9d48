import { AssayError } from '../../errors.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { assess, NO_STORE } from '../../pipeline.ts';
import type { RunRecord } from '../../store/store.ts';
import { workflowMetrics } from '../../workflow/catalog.ts';
import type { RunEvidence } from '../../workflow/evidence.ts';
import type { Reading } from '../../workflow/ingest/mapping.ts';
import { gateFor, type Minimums, NO_REGRESSION_GATE } from '../../workflow/policy.ts';
import { type ExaminedArm, workflowsOf } from '../../workflow/reports/error-matrix.ts';
import { type ScoredReviews, summaryOf } from '../../workflow/summary.ts';
import { type OesChoice, ownWeightsNotes, scorerOf } from '../../workflow/weights.ts';
import type { Ports } from '../ports.ts';
import { MEASURE_AGAIN, storageFailure } from '../storage-failure.ts';
import { type ReviewFiles, readReviews } from './read-reviews.ts';

export type ScoreRequest = OesChoice & {
  readonly inputs: ReviewFiles;
  readonly workflow?: string;
  readonly minimums: Minimums;
  /** `false`: store nothing. */
  readonly keep?: boolean;
};

/** Facts stored with a score, in addition to its numbers and its evidence. */
type ReviewFacts = Reading & { readonly task: string; readonly truthVersion: string };

/** Measures, judges and stores the runs of one workflow on one task. */
export async function scoreReviews(request: ScoreRequest, ports: Ports): Promise<ScoredReviews> {
  const { inputs, workflow, components, weights, minimums } = request;
  const oes = { components, weights };
  const { truth, runs, subject, mappings, notes: found } = examined(inputs, workflow);
  const notes = [...ownWeightsNotes(oes), ...found];
  const { metrics, gate } = gateFor(workflowMetrics(oes), minimums);
  const { verdict, measured } = await assess(
    {
      subject: {
        instrument: 'workflow',
        subject,
        runId: ports.newId(),
        at: ports.now().toISOString(),
        scorer: scorerOf(runs[0]?.matcherVersion ?? '', oes),
      },
      metrics,
      policy: {
        gate: { ...gate, ...(truth.draft && { drafts: [truth.task] }) },
        compare: NO_REGRESSION_GATE,
      },
      ingest: async () => ({
        truthHash: truth.hash,
        cases: runs.map((one) => ({ id: one.run, evidence: one, notes: [] })),
      }),
      facts: (): ReviewFacts => ({ task: truth.task, truthVersion: truth.version, mappings, notes }),
    },
    request.keep === false ? NO_STORE : ports.store,
    (error) =>
      ports.reportStorageFailure(
        storageFailure(error, 'The run is given, but it is not in the store', MEASURE_AGAIN),
      ),
  );
  return { truth, verdict, summary: summaryOf(runs, metrics, measured), minimums, mappings, notes };
}

/** Returns only the evidence, so that the reviews can be garbage-collected. */
function examined(inputs: ReviewFiles, only: string | undefined) {
  const { arms, mappings, notes } = readReviews(inputs, only);
  const { truth, runs, workflow: subject } = oneArm(arms);
  return { truth, runs, subject, mappings, notes };
}

/** A score of two mixed workflows would describe neither. */
function oneArm(arms: readonly ExaminedArm[]): ExaminedArm {
  const [arm, ...others] = arms;
  if (arm !== undefined && others.length === 0) return arm;
  const names = workflowsOf(arms);
  throw new AssayError('USAGE', `the runs are of ${names.length} workflows: ${names.join(', ')}`, {
    remedy: 'Choose one of them, or hold two against each other.',
  });
}

export type StoredReviews = Omit<ScoredReviews, 'minimums' | 'truth'> & {
  readonly truth: Pick<ScoredReviews['truth'], 'task' | 'hash' | 'version'>;
};

/** Restores scored reviews as they were measured. */
export function storedReviews(record: RunRecord, verdict: Verdict): StoredReviews | undefined {
  if (record.facts === undefined) return undefined;
  // This instrument wrote the record, and its hash is verified.
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
