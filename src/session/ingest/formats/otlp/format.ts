/** Spans of any program that exports them. Of the agents that keep theirs in files, the place is known. */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const otlp: Format = {
  name: 'otlp',
  title: 'OpenTelemetry GenAI and OpenInference spans (OTLP, JSON or protobuf)',
  hint: /"(?:resource_?spans|scope_?spans|span_?id|spans)"/i,
  shows: ['tokens', 'cost', 'failures', 'sub-agents', 'ends', 'model'],
  versions:
    'what 17 instrumentations sent in 2026: GenAI conventions, OpenInference, Traceloop, Vercel AI SDK 4 to 7; by their conventions Azure AI, Google ADK, Langfuse, LangSmith, MLflow, Pydantic AI and Strands',
  unmeasured: ['Whatever the exporting program leaves out, often what was said.'],
  places: (home, env) => [
    {
      agent: 'copilot (OpenTelemetry)',
      place: join(variable(env, 'COPILOT_HOME') ?? join(home, '.copilot'), 'otel'),
    },
  ],
  includes: (path) => /\.(?:pb|binpb|otlp)(?:\.(?:gz|zst))?$/i.test(path),
  printed: true,
  traceOf: (sessionId) => (/^[0-9a-f]{32}$/.test(sessionId) ? sessionId : undefined),
  adapter: async () => (await import('./adapter.ts')).otlpAdapter,
};
