import { expect, it } from 'vitest';
import { deliveryTargets } from './delivery-targets.ts';

it.each(['webhook', 'evaluations', 'langfuse', 'phoenix'])(
  'is not told at an address with a password in it: session.%s',
  (name) => {
    const settings = { webhook: '', webhookSecret: 'SECRET', evaluations: '', langfuse: '', phoenix: '' };
    const targets = (address: string) =>
      deliveryTargets(
        { ...settings, [name]: address },
        { SECRET: 's', LANGFUSE_PUBLIC_KEY: 'p', LANGFUSE_SECRET_KEY: 's' },
      );
    expect(targets('https://hooks.example/x')).toHaveProperty(name);
    for (const user of ['ada', 'ada:hunter2', ':hunter2'])
      expect(() => targets(`https://${user}@hooks.example/x`)).toThrow(
        /^session\.\w+ contains a name or password$/,
      );
  },
);
