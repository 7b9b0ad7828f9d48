/**
 * What the Gemini CLI prints with `--output-format stream-json`, and the one object that it prints with `json`.
 *
 * Established from its source (`packages/core/src/output`, `packages/cli/src/nonInteractiveCli.ts`).
 */
import type { Format } from '../format.ts';

export const geminiStream: Format = {
  name: 'gemini-stream',
  title: 'Gemini CLI print mode (stream JSON)',
  printed: true,
  adapter: async () => (await import('./adapter.ts')).geminiStreamAdapter,
};
