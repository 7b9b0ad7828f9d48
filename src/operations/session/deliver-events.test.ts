import { expect, it } from 'vitest';
import { deliveryTargets } from './deliver-events.ts';

it.each(['webhook', 'evaluations'])('is not told at an address with a password in it: session.%s', (name) => {
  const settings = { webhook: '', webhookSecret: 'SECRET', evaluations: '' };
  const targets = (address: string) => deliveryTargets({ ...settings, [name]: address }, { SECRET: 's' });
  expect(targets('https://hooks.example/x')).toHaveProperty(name);
  for (const user of ['ada', 'ada:hunter2', ':hunter2'])
    expect(() => targets(`https://${user}@hooks.example/x`)).toThrow(
      /^session\.\w+ holds a name or password$/,
    );
});
