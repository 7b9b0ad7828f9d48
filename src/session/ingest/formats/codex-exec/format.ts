/**
 * What `codex exec --json` prints. The same session is a rollout, unless it was ephemeral.
 *
 * Established from the source of the Codex CLI (`codex-rs/exec`). Lines of builds before it had items are read by the names
 * of events in `codex-rs/protocol`; no such build was looked at.
 */
import type { Format } from '../format.ts';

export const codexExec: Format = {
  name: 'codex-exec',
  title: 'Codex exec events (codex exec --json)',
  hint: /"type": ?"(?:thread|turn|item)\.|"msg":/,
  shows: ['tokens', 'failures', 'denials', 'sub-agents', 'ends', 'model'],
  versions: 'of August 2026 (items), and builds before it had items',
  elsewhere: 'wherever its output was kept',
  unmeasured: ['Times.', 'The model and what was asked, in items.'],
  printed: true,
  endsItself: true,
  adapter: async () => (await import('./adapter.ts')).codexExecAdapter,
};
