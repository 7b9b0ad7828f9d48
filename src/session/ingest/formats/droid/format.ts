/**
 * Droid: `~/.factory/sessions/<folder>/<session>.jsonl` with its settings beside it, and what `droid exec` prints.
 *
 * Droid is closed: known from a few short fixtures; what the settings hold, from programs of others that read them. No real
 * session was looked at.
 */
import { join } from 'node:path';
import type { Format } from '../format.ts';

export const droid: Format = {
  name: 'droid',
  title: 'Droid',
  hint: /^\{"type": ?"message"|"type": ?"session_start"|"(?:reasoning_effort|toolId|toolName|finalText)":/m,
  shows: ['tokens', 'failures', 'denials', 'compaction', 'ends', 'model'],
  versions: '0.81',
  unmeasured: ['Ends, in stored sessions.'],
  places: (home) => [{ place: join(home, '.factory', 'sessions'), only: /\.jsonl$/ }],
  ignores: (path) => /^(?=.*\.settings\.json$).*[\\/]\.factory[\\/]sessions[\\/]/s.test(path),
  beside: async (path) => [path.replace(/\.jsonl$/, '.settings.json')],
  adapter: async () => (await import('./adapter.ts')).droidAdapter,
};
