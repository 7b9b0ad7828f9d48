import { expect, it } from 'vitest';
import { startRequest } from './ab-start-request.ts';

const terminal = { cwd: '/nowhere', env: {} } as Parameters<typeof startRequest>[1];
const asked = (values: Record<string, string>) =>
  startRequest({ values: { prompts: '/nowhere', ...values }, positionals: ['a-v2'] }, terminal);

it.each([
  ['share', '-1', '--share is a number from 0.05 to 0.95, not -1'],
  ['confidence', '1', '--confidence is a number from 0.8 to 0.999, not 1'],
  ['smallest-effect', '0', '--smallest-effect is a number above 0 and at most 1, not 0'],
  ['max-errors', '-1', '--max-errors is a number from 0 to 1, not -1'],
  ['max-latency-ms', '-1', '--max-latency-ms is a number of at least 0, not -1'],
  ['max-cost-usd', '-0.5', '--max-cost-usd is a number of at least 0, not -0.5'],
  ['max-errors', 'few', '--max-errors is a number, not "few"'],
])('says of --%s %s what it may be', (option, value, message) => {
  expect(() => asked({ [option]: value })).toThrow(message);
});

it('takes what is allowed', () => {
  expect(asked({ share: '0.05', 'smallest-effect': '1', 'max-errors': '0' })).toMatchObject({
    share: 0.05,
    smallestEffect: 1,
    guards: { errors: 0 },
  });
});
