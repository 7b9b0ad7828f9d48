import { readSession } from '../../workflow/blind/folder.ts';
import { type BlindProgress, progressOf } from '../../workflow/blind/progress.ts';

/** Who is at which step, and what is missing; never what anybody answered. */
export function statusOfBlind(folder: string): BlindProgress {
  return progressOf(readSession(folder));
}
