/**
 * Antigravity: the transcript that it writes beside a conversation, `brain/<session>/.system_generated/logs/
 * transcript.jsonl`. The conversation itself is encrypted.
 *
 * Antigravity is closed: known from fixtures and from a program of others that reads the same file.
 */
import { join } from 'node:path';
import type { Format } from '../format.ts';

export const antigravity: Format = {
  name: 'antigravity',
  title: 'Antigravity',
  hint: /"step_index":/,
  shows: ['failures', 'compaction', 'ends', 'model'],
  versions: 'of June 2026',
  unmeasured: ['Ends, but for errors.'],
  places: (home) =>
    ['antigravity', 'antigravity-cli'].map((name) => ({
      place: join(home, '.gemini', name, 'brain'),
      holds: join('.system_generated', 'logs', 'transcript.jsonl'),
      only: /[\\/]\.system_generated[\\/]logs[\\/]transcript\.jsonl$/,
    })),
  adapter: async () => (await import('./adapter.ts')).antigravityAdapter,
};
