/**
 * Aider: `.aider.chat.history.md` at the root of each repository it works in, with all its sessions one after the other;
 * what it prints; and the log that `--analytics-log` writes. It keeps no list of repositories: name the file, or a folder.
 *
 * Established from its source (`aider/io.py`, `aider/coders/base_coder.py`, `aider/analytics.py`).
 */
import type { Format } from '../format.ts';

export const aider: Format = {
  name: 'aider',
  title: 'Aider',
  hint: /aider chat started|Aider v\d|"properties":/,
  shows: ['tokens', 'cost', 'ends', 'model'],
  versions: '0.86',
  elsewhere: '`.aider.chat.history.md` of a repository that is named',
  unmeasured: ['Times of what is in a chat history, but for the beginnings of sessions.'],
  includes: (path) => /[\\/]\.aider\.chat\.history\.md$/.test(path),
  adapter: async () => (await import('./adapter.ts')).aiderAdapter,
};
