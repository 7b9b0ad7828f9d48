import { notesOn } from '../../decomposition/case-lists.ts';
import type { CaseEvidence } from '../../decomposition/evidence.ts';
import type { Regression, SuiteFacts, SuiteRun } from '../../decomposition/suite-run.ts';
import { measuredIn } from '../../judge/judgement.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { RunRecord } from '../../store/store.ts';
import { consequencesOf } from './baseline.ts';
import { judgedLevels } from './run-suite.ts';

/** Restores a run of the golden cases as it was measured. */
export function storedSuite(record: RunRecord, judged: Verdict): SuiteRun | undefined {
  if (record.facts === undefined || record.judgement === undefined) return undefined;
  // This instrument wrote the record, and its hash is verified.
  const facts = record.facts as unknown as SuiteFacts;
  const evidence = new Map(
    record.cases.flatMap((one) =>
      one.evidence === undefined ? [] : [[one.caseId, one.evidence as unknown as CaseEvidence]],
    ),
  );
  const verdict = {
    ...judged,
    cases: judged.cases.map((one) => {
      const known = evidence.get(one.id);
      return known === undefined ? one : { ...one, notes: notesOn(known) };
    }),
  };
  const regression = regressionOf(record, verdict, facts);
  return {
    verdict,
    facts: facts.names,
    reading: facts.reading,
    evidence,
    ...judgedLevels(verdict, record.judgement.metrics, facts),
    ...(regression && { regression }),
  };
}

function regressionOf(
  record: RunRecord,
  verdict: Verdict,
  { regression }: SuiteFacts,
): Regression | undefined {
  const { judgement, cases } = record;
  if (regression === undefined || judgement?.baseline === undefined) return undefined;
  const { missingCases: _, paired: __, ...baseline } = judgement.baseline;
  const before = cases.flatMap((one) => (one.baseline === undefined ? [] : [[one.caseId, one.baseline]]));
  const side = { ...baseline, cases: Object.fromEntries(before) };
  const lines = { gated: judgement.gate.gated, compare: judgement.compare };
  return { ...consequencesOf(verdict, measuredIn(record), judgement.metrics, side, lines), ...regression };
}
