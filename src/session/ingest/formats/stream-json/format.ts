/**
 * What agents print in print mode, an object per line: `claude -p --output-format stream-json` (or `json`: its last object
 * alone), the same of Qwen Code, Amp and the Cursor CLI, which took over the shape. Files of it lie wherever a job keeps
 * its output.
 *
 * Established from the types of the agent SDK of Claude Code (the CLI itself is closed), the source of Qwen Code, and Cursor's
 * page on its output. Cursor's page names a success alone: refusals, failures and tokens are known from programs of others.
 * The stream of Amp is taken to be like that of Claude Code, as its SDK says.
 */
import type { Format } from '../format.ts';

export const streamJson: Format = {
  name: 'stream-json',
  title: 'Print mode of Claude Code, Qwen Code, Cursor and Amp (stream JSON)',
  hint: /"session_id":/,
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: 'Claude Code 2.1, Qwen Code 0.22, Cursor of 2026, Amp of 2026',
  elsewhere: 'wherever its output was kept',
  unmeasured: ['Times of what Claude Code prints.'],
  printed: true,
  endsItself: true,
  adapter: async () => (await import('./adapter.ts')).streamJsonAdapter,
};
