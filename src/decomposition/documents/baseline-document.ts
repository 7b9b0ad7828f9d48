import type { Action } from '../../report/action.ts';
import type { Document } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import type { SuiteRun } from '../suite-run.ts';
import { runDocument } from './run-document.ts';

/** The gate is not asked here; what it would say is told all the same. */
export function baselineDocument(run: SuiteRun, path: string, next: readonly Action[] = []): Document {
  const { verdict: _, ...document } = runDocument(run, next);
  const { gate, validity, subject } = run.verdict;
  const reasons = gate.reasons.length === 0 ? '' : `: ${gate.reasons.slice(0, 2).join('; ')}`;
  return {
    ...document,
    answer: `Saved as the baseline in ${path}: ${formatAmount(validity.cases, 'case')} of ${subject}. As a run it would be ${gate.verdict}${reasons}.`,
  };
}

/** Why nothing was saved. */
export function sayNotSaved(gaps: readonly string[]): string {
  const why =
    gaps.length === 0
      ? 'nothing was measured'
      : `${formatAmount(gaps.length, 'case')} could not be measured (${gaps.slice(0, 5).join(', ')}${gaps.length > 5 ? ', …' : ''})`;
  return `The baseline was not written: ${why}.`;
}
