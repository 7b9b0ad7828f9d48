import { relative } from 'node:path';
import type { Document, TableBlock } from '../../report/document.ts';
import { formatCount } from '../../report/number.ts';
import type { Skipped } from '../results.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';

/** Paths as they were read, or as they are seen from a folder. */
export function skippedTable({ kinds }: Skipped, folder?: string): TableBlock {
  return {
    kind: 'table',
    title: 'Skipped',
    limit: 20,
    columns: [
      { key: 'path', header: 'file', style: 'name' },
      { key: 'reason', header: 'reason', style: 'text' },
      { key: 'count', header: 'count', style: 'count' },
      { key: 'line', header: 'first line', style: 'count' },
    ],
    rows: kinds.map(({ path, reason, count, firstLine }) => ({
      path: folder === undefined ? path : shownPath(folder, path),
      reason,
      count,
      line: firstLine,
    })),
  };
}

export function skippedDocument(skipped: Skipped, folder?: string, given?: SessionsGiven): Document {
  const { files, kinds } = skipped;
  return {
    title: 'Skipped',
    answer:
      kinds.length === 0
        ? `Every line of ${formatCount(files)} files was used.`
        : `${formatCount(kinds.length)} kinds of lines could not be used; the rest of their files was.`,
    blocks: kinds.length === 0 ? [] : [skippedTable(skipped, folder)],
    notes: [],
    next: nextStep('score', given),
  };
}

/** From here, where that is shorter. */
function shownPath(folder: string, path: string): string {
  const near = relative(folder, path);
  return near !== '' && near.length < path.length ? near : path;
}
