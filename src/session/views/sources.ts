import { relative } from 'node:path';
import type { Skipped } from '../../operations/session/list-skipped.ts';
import type { FormatHere, Sources } from '../../operations/session/list-sources.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import { CAPABILITIES } from '../ingest/formats/capabilities.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { agentTitle } from './wording.ts';

/** Of the places that are not there so many are shown, unless all are asked for. */
const PLACES_SHOWN = 5;

/** What is on this machine comes first. */
export function sourceTable({ sources }: Sources): TableBlock {
  const here = sources.filter(({ exists }) => exists).length;
  return tableOf(
    'Places',
    sources.toSorted((a, b) => Number(b.exists) - Number(a.exists)),
    [
      { key: 'agent', of: ({ agent }) => agentTitle(agent) },
      { key: 'place', unit: 'name' },
      { key: 'files', unit: 'count', of: ({ exists, files }) => (exists ? files.length : undefined) },
    ],
    { limit: Math.max(PLACES_SHOWN, here) },
  );
}

/** What is on this machine comes first. */
function formatTable(formats: readonly FormatHere[]): TableBlock {
  const missing = (shows: FormatHere['shows']) => CAPABILITIES.filter((one) => !shows.includes(one));
  return tableOf(
    'What their transcripts show',
    formats.toSorted((a, b) => Number(b.files > 0) - Number(a.files > 0)),
    [
      { key: 'title', title: 'agent' },
      { key: 'name', title: '--agent' },
      { key: 'files', unit: 'count' },
      {
        key: 'missing',
        title: 'all but',
        of: ({ shows }) => (missing(shows).length > 0 ? missing(shows) : undefined),
      },
      { key: 'versions', title: 'versions seen' },
    ],
    { limit: Math.max(PLACES_SHOWN, formats.filter(({ files }) => files > 0).length) },
  );
}

export function sourceView(listed: Sources): View {
  const { sources, formats } = listed;
  const found = sources.reduce((sum, { files }) => sum + files.length, 0);
  return {
    title: 'Sources',
    answer: `${formatAmount(found, 'transcript')} found. Links that lead out of these places are not followed.`,
    blocks: [sourceTable(listed), formatTable(formats)],
    notes: [
      '– as a number of files means that the place does not exist.',
      `All of: ${CAPABILITIES.join(', ')}. What a transcript does not show stays unmeasured, or is told from its text (docs/formats/README.md).`,
    ],
    next: [{ operation: found === 0 ? 'example' : 'sessions score' }],
  };
}

/** Paths as they were read, or as they are seen from a folder. */
export function skippedTable({ kinds }: Skipped, folder?: string): TableBlock {
  return tableOf(
    'Skipped',
    kinds,
    [
      {
        key: 'path',
        title: 'file',
        unit: 'name',
        of: ({ path }) => (folder === undefined ? path : shownPath(folder, path)),
      },
      { key: 'reason' },
      { key: 'count', unit: 'count' },
      { key: 'line', title: 'first line', unit: 'count', of: ({ firstLine }) => firstLine },
    ],
    { limit: 20 },
  );
}

export function skippedView(skipped: Skipped, folder?: string, given?: SessionsGiven): View {
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
