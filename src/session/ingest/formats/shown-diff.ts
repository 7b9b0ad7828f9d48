import type { UnplacedEvent } from '../../event.ts';
import { readDiffs } from '../../fold/file-changes.ts';

/** What a person was shown of a file that changed, as a unified diff: whole lines, also those that they changed themselves. */
export function* shownDiff(
  callId: string,
  diff: string | undefined,
  path: string | undefined,
): Generator<UnplacedEvent> {
  if (diff === undefined || path === undefined) return;
  for (const change of readDiffs(diff, path)) yield { kind: 'file-change', callId, ...change };
}
