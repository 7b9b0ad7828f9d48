/**
 * Cursor: the database of the editor (`globalStorage/state.vscdb`) and those of its CLI (`store.db` below `~/.cursor/chats`).
 *
 * Cursor is closed: the tables of the CLI are known from one fixture, the blocks in them and the keys of the editor from programs
 * of others that read them. What it prints is read as stream JSON.
 */
import { join } from 'node:path';
import { applicationData } from '../../files/application-data.ts';
import type { Format } from '../format.ts';

export const cursor: Format = {
  name: 'cursor',
  title: 'Cursor',
  packing: 'sqlite',
  shows: ['tokens', 'cost', 'failures', 'denials', 'sub-agents', 'ends', 'model'],
  versions: 'stores of the CLI and of the editor of 2025 and 2026',
  unmeasured: ['Tokens, cost and ends, in stores of the CLI.'],
  places: (home, env) => [
    { place: join(home, '.cursor', 'chats'), holds: 'store.db', only: /[\\/]store\.db$/ },
    {
      place: join(applicationData(home, env), 'Cursor', 'User', 'globalStorage'),
      only: /[\\/]state\.vscdb$/,
      flat: true,
    },
  ],
  includes: (path) => /[\\/]state\.vscdb$/.test(path),
  beside: async (path) => [`${path}-wal`],
  adapter: async () => (await import('./adapter.ts')).cursorAdapter,
};
