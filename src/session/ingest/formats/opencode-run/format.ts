/**
 * What `opencode run --format json` prints. The same session is in the store of OpenCode, with more in it.
 *
 * Established from its source (`packages/opencode/src/cli/cmd/run.ts`).
 */
import type { Format } from '../format.ts';

export const opencodeRun: Format = {
  name: 'opencode-run',
  title: 'OpenCode run events (opencode run --format json)',
  hint: /"sessionID":/,
  shows: ['tokens', 'cost', 'failures', 'denials', 'ends'],
  versions: '1.18',
  unmeasured: ['What was asked.'],
  elsewhere: 'wherever its output was kept',
  printed: true,
  endsItself: true,
  adapter: async () => (await import('./adapter.ts')).opencodeRunAdapter,
};
