/**
 * What `codex exec --json` prints. The same session is a rollout, unless it was ephemeral.
 *
 * Established from the source of the Codex CLI (`codex-rs/exec`). Builds before its model of items are not read.
 */
import type { Format } from '../format.ts';

export const codexExec: Format = {
  name: 'codex-exec',
  title: 'Codex exec events (codex exec --json)',
  shows: ['tokens', 'failures', 'denials', 'sub-agents', 'ends'],
  versions: 'of August 2026 (items)',
  elsewhere: 'wherever its output was kept',
  unmeasured: ['Times.', 'What was asked.'],
  printed: true,
  adapter: async () => (await import('./adapter.ts')).codexExecAdapter,
};
