import { notesOn } from '../../decomposition/case-lists.ts';
import type { CaseEvidence } from '../../decomposition/evidence.ts';
import type { Regression, SuiteFacts, SuiteRun } from '../../decomposition/suite-run.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { RunRecord } from '../../store/store.ts';
import { consequencesOf } from './baseline.ts';
import { judgedLevels } from './run-suite.ts';

/** A run of the golden cases as it was given when it was measured; runs of the first release kept too little of it. */
export function storedSuite(record: RunRecord, judged: Verdict): SuiteRun | undefined {
  if (record.facts === undefined || record.judgement === undefined) return undefined;
  // Written by this instrument, and its hash is checked.
  const facts = record.facts as unknown as SuiteFacts;
  const evidence = evidenceOf(record);
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

function evidenceOf({ cases }: RunRecord): ReadonlyMap<string, CaseEvidence> {
  return new Map(
    cases.flatMap(({ caseId, evidence }) =>
      evidence === undefined ? [] : [[caseId, evidence as unknown as CaseEvidence]],
    ),
  );
}

function regressionOf(
  { judgement, metrics: suite, cases }: RunRecord,
  verdict: Verdict,
  { regression }: SuiteFacts,
): Regression | undefined {
  if (regression === undefined || judgement?.baseline === undefined) return undefined;
  const { missingCases: _, paired: __, ...baseline } = judgement.baseline;
  const measured = cases.filter(({ metrics }) => Object.keys(metrics).length > 0);
  const perCase = Object.fromEntries(measured.map(({ caseId, metrics }) => [caseId, metrics]));
  const before = cases.flatMap((one) => (one.baseline === undefined ? [] : [[one.caseId, one.baseline]]));
  const side = { ...baseline, cases: Object.fromEntries(before) };
  const { gate, compare, metrics } = judgement;
  return {
    ...consequencesOf(verdict, { suite, perCase }, metrics, side, { gated: gate.gated, compare }),
    ...regression,
  };
}
