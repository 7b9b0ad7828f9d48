/** The labels in result files of tau-bench and tau2-bench, for calibration. No adapter reads them. */
import type { FileInfo } from '../format.ts';
import { tauAdapter, tauOutcomes } from '../tau-bench/adapter.ts';
import type { RunLabel } from '../tau-bench/messages.ts';
import { tau2Outcomes } from './adapter.ts';

/** Session ids are those of the sessions read from the same file; a run without a reward has no outcome. */
export function readTauOutcomes(document: unknown, file: FileInfo): RunLabel[] {
  return tauAdapter.detect({ records: [document], document: true, path: file.path })
    ? tauOutcomes(document, file)
    : tau2Outcomes(document, file);
}
