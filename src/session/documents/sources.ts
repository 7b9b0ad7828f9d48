import type { Document, TableBlock } from '../../report/document.ts';
import { formatCount } from '../../report/number.ts';
import type { SessionSource } from '../ingest/files/find-sources.ts';

export function sourceTable(sources: readonly SessionSource[]): TableBlock {
  return {
    kind: 'table',
    title: 'Places',
    columns: [
      { key: 'agent', header: 'agent', style: 'text' },
      { key: 'place', header: 'place', style: 'name' },
      { key: 'files', header: 'files', style: 'count' },
    ],
    rows: sources.map(({ agent, place, exists, files }) => ({
      agent,
      place,
      files: exists ? files.length : undefined,
    })),
  };
}

export function sourceDocument(sources: readonly SessionSource[]): Document {
  const found = sources.reduce((sum, { files }) => sum + files.length, 0);
  return {
    title: 'Sources',
    answer: `${formatCount(found)} transcripts found. Links that lead out of these places are not followed.`,
    blocks: [sourceTable(sources)],
    notes: ['– means that the place does not exist.'],
    next: [{ operation: found === 0 ? 'example' : 'sessions score' }],
  };
}
