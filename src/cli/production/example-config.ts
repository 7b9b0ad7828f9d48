import type { Config } from '../../config.ts';

/** Texts are there to be rated, and nobody is told of what an example does. */
export function exampleConfig(config: Config): Config {
  const { alerts, production, session } = config;
  return {
    ...config,
    alerts: { ...alerts, webhook: '', slack: '', email: { ...alerts.email, to: [] } },
    session: { ...session, webhook: '', evaluations: '' },
    production: { ...production, keepText: true },
  };
}
