import type { CaseEvidence } from '../../decomposition/evidence.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { listsOf } from './decomposition-run.ts';
import { encodeRun, type RunWire } from './run.ts';

/**
 * A run that the store remembers, in the shape in which it left when it was measured. What only its instrument
 * understands of the evidence stays in the store.
 */
export function encodeStoredRun(verdict: Verdict, evidence: ReadonlyMap<string, unknown>): RunWire {
  if (verdict.instrument !== 'decomposition') return encodeRun(verdict);
  return encodeRun(verdict, {
    case: (id) => (hasTrials(evidence.get(id)) ? listsOf(evidence.get(id) as CaseEvidence) : {}),
  });
}

function hasTrials(evidence: unknown): boolean {
  return (
    typeof evidence === 'object' &&
    evidence !== null &&
    'trials' in evidence &&
    Array.isArray(evidence.trials)
  );
}
