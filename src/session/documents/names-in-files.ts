import { textField } from '../../report/csv.ts';
import { withoutGuard } from '../calibration/csv.ts';

/** An id as it comes back from a CSV of ours: signs where it has control characters, and without outer blanks. */
export function idFromCsv(id: string): string {
  return withoutGuard(textField(id).trim());
}

/** What a file of people may call a session. */
export function namesInFiles(key: string, id: string): ReadonlySet<string> {
  return new Set([key, id, id.trim(), idFromCsv(id)]);
}
