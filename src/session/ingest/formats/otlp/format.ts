/** Spans of any program that exports them. Of the agents that keep theirs in files, the place is known. */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const otlp: Format = {
  name: 'otlp',
  title: 'OpenTelemetry GenAI and OpenInference spans (OTLP JSON)',
  places: (home, env) => [
    {
      agent: 'copilot (OpenTelemetry)',
      place: join(variable(env, 'COPILOT_HOME') ?? join(home, '.copilot'), 'otel'),
    },
  ],
  printed: true,
  adapter: async () => (await import('./adapter.ts')).otlpAdapter,
};
