import type { Config } from '../../config.ts';

/** Texts are there to be rated, and nobody is told of what an example does. */
export function exampleConfig(config: Config): Config {
  const { alerts, production } = config;
  return {
    ...config,
    alerts: { ...alerts, webhook: '', slack: '', email: { ...alerts.email, to: [] } },
    production: { ...production, keepText: true },
  };
}
