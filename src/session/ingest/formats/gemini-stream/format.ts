/**
 * What the Gemini CLI prints with `--output-format stream-json`, and the one object that it prints with `json`.
 *
 * Established from its source (`packages/core/src/output`, `packages/cli/src/nonInteractiveCli.ts`).
 */
import type { Format } from '../format.ts';

export const geminiStream: Format = {
  name: 'gemini-stream',
  title: 'Gemini CLI print mode (stream JSON)',
  hint: /"(?:tool_id|stats)":|"type": ?"init"/,
  shows: ['tokens', 'failures', 'denials', 'ends', 'model'],
  versions: '0.56',
  elsewhere: 'wherever its output was kept',
  unmeasured: ['Calls that a person refused: they are printed as done.'],
  printed: true,
  endsItself: true,
  adapter: async () => (await import('./adapter.ts')).geminiStreamAdapter,
};
