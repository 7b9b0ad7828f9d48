/**
 * What Claude Code, Gemini CLI and Qwen Code log of themselves over OpenTelemetry (`claude_code.api_request`,
 * `gemini_cli.tool_call`, …), in files that a collector wrote, as JSON or protobuf.
 *
 * Established from the page on monitoring of Claude Code, and from the pages on telemetry of Gemini CLI and of Qwen Code,
 * which has the same events under its own name.
 */
import type { Format } from '../format.ts';

export const otlpLogs: Format = {
  name: 'otlp-logs',
  title: 'What Claude Code, Gemini CLI and Qwen Code log over OpenTelemetry (OTLP)',
  hint: /"(?:resource_?logs|scope_?logs|log_?records|event\.name)"/i,
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: 'Claude Code 2.1, Gemini CLI 0.56, Qwen Code of 2026',
  elsewhere: 'wherever a collector wrote it',
  unmeasured: [
    'What was said, where the agent was not told to log it.',
    'The cost, but of Claude Code. Ends, but for requests that failed.',
  ],
  printed: true,
  adapter: async () => (await import('./adapter.ts')).otlpLogsAdapter,
};
