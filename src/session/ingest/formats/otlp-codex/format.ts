/**
 * What Codex logs of itself over OpenTelemetry (`codex.tool_result`, `codex.sse_event`, …), in files that a collector
 * wrote, as JSON or protobuf. Established from its source (`codex-rs/otel`).
 */
import type { Format } from '../format.ts';

export const otlpCodex: Format = {
  name: 'otlp-codex',
  title: 'What Codex logs over OpenTelemetry (OTLP)',
  hint: /"(?:resource_?logs|scope_?logs|log_?records|event\.name)"/i,
  shows: ['tokens', 'failures', 'denials', 'ends', 'model'],
  versions: 'of 2026',
  elsewhere: 'wherever a collector wrote it',
  unmeasured: [
    'What was said by the model, and by the person where Codex was not told to log it.',
    'Ends, but for requests that failed.',
  ],
  printed: true,
  adapter: async () => (await import('./adapter.ts')).otlpCodexAdapter,
};
