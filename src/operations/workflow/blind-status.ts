import { readSession } from '../../workflow/blind/folder.ts';
import { type Progress, progressOf } from '../../workflow/blind/progress.ts';

/** Who is at which step, and what is missing; never what anybody answered. */
export function statusOfBlind(folder: string): Progress {
  return progressOf(readSession(folder));
}
