/**
 * Transcripts that Cursor writes beside its databases: `~/.cursor/projects/<folder>/agent-transcripts/<session>/*.jsonl`.
 * They have less than the databases: no times, tokens or ids, and hardly ever results.
 *
 * Cursor is closed: known from fixtures.
 */
import { join } from 'node:path';
import type { Format } from '../format.ts';

export const cursorTranscript: Format = {
  name: 'cursor-transcript',
  title: 'Cursor transcripts',
  hint: /"role": ?"(?:user|assistant)", ?"message":/,
  shows: ['failures', 'sub-agents', 'ends', 'model'],
  versions: '2026',
  unmeasured: ['Times.', 'Results, but for few versions.'],
  places: (home) => [
    {
      place: join(home, '.cursor', 'projects'),
      only: /^(?=.*\.jsonl$).*[\\/]agent-transcripts[\\/]./s,
      agent: 'cursor',
    },
  ],
  printed: true,
  adapter: async () => (await import('./adapter.ts')).cursorTranscriptAdapter,
};
