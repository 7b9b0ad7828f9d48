import { expect, it } from 'vitest';
import { regexWork } from '../../testing/regex-work.ts';
import { traitsOf } from './requests.ts';

it.each([
  ['fix the failing test in src/app.ts', ['code-words', 'file-path', 'short']],
  ['What should I cook tonight?', ['question', 'advice-words', 'short']],
  ['Research the market for heat pumps and compare the three largest makers', ['research-words', 'short']],
  ['Brainstorm ten names for a bakery', ['creative-words', 'short']],
  ['restart the server and check https://status.example.com', ['operations-words', 'url', 'short']],
  ['```\nx\n```', ['code-block', 'short']],
  ['请修复这个函数', ['code-words', 'short']],
] as const)('%j', (text, traits) => {
  expect(traitsOf(text)).toEqual(expect.arrayContaining([...traits]));
});

it.each([
  ['why does the loader skip the last row?', 'explain-request'],
  ['Walk me through the release script', 'explain-request'],
  ['Warum ist das so langsam?', 'explain-request'],
  ['Find the cause of the crash', 'explain-request'],
  ['Count the Python files under the root and report the number.', 'explain-request'],
  ['Reproduce the bug from the report', 'explain-request'],
  ['review src/parse.ts', 'plan-request'],
  ['Give me a plan for moving the jobs', 'plan-request'],
  ['/team:review 12', 'plan-request'],
  ['Look at it, but do not change anything yet', 'plan-request'],
  ['Rename getUser to loadUser', 'code-request'],
] as const)('%j is %s', (text, trait) => {
  expect(traitsOf(text)).toContain(trait);
});

it('tells a polite wish from a question', () => {
  expect(traitsOf('can we create the folder for now?')).not.toContain('question');
  expect(traitsOf('can we see the folder from there?')).toContain('question');
});

it('tells long requests from short ones', () => {
  expect(traitsOf('x'.repeat(1_300))).toEqual(['long']);
});

it.each([
  ['Renew the certificate for mail.example.test', 'code-words'],
  ['My phone shows no service, can you fix it?', 'code-words'],
  ['Where is my order, and can I cancel it?', 'operations-words'],
  ['Does the service send a heartbeat to the balancer?', 'heartbeat-words'],
] as const)('does not take %j for %s', (text, trait) => {
  expect(traitsOf(text)).not.toContain(trait);
});

it('knows a heartbeat prompt', () => {
  expect(traitsOf('Read HEARTBEAT.md if it exists.')).toContain('heartbeat-words');
  expect(traitsOf('[heartbeat poll] 10:30')).toContain('heartbeat-words');
  expect(traitsOf('Tidy up; answer HEARTBEAT_OK when there is nothing to do')).toContain('heartbeat-words');
});

it.each([
  'Implement the function foo in foo.py',
  'Fix the failing login test in auth.py',
  'The parser is slow. Refactor parse.ts so that it streams',
  '1. fix the bug in the codebase',
])('takes %j for a request to write code', (text) => {
  expect(traitsOf(text)).toContain('code-request');
});

it.each([
  'Run the tests',
  'Explain how they implement caching in the codebase',
  'Fix my order, the address is wrong',
  'Write a report about the market for heat pumps',
])('does not take %j for a request to write code', (text) => {
  expect(traitsOf(text)).not.toContain('code-request');
});

it('takes an order that begins with "do" for no question', () => {
  expect(traitsOf('Do the work')).not.toContain('question');
  expect(traitsOf('do you know the way')).toContain('question');
});

it('looks at a bounded part of a text, a bounded number of times', () => {
  for (const unit of ['a.', 'x', 'write a b c ', '\n', '. ', 'write ', '/']) {
    const text = unit.repeat(500_000 / unit.length);
    const { calls, longest } = regexWork(() => traitsOf(text));
    expect(longest, unit).toBeLessThanOrEqual(4_000);
    expect(calls, unit).toBeLessThanOrEqual(20);
  }
});

it.each([
  ['explain-request', 'Investigate the bug in the parser. ¦ Figure out where the null comes from'],
  ['explain-request', 'Diagnose the flaky job ¦ Please track down the leak'],
  ['plan-request', 'How would you split this module?'],
  [
    'code-request',
    'need a little patch for `serve` that prints the port ¦ Could you add unit tests for the loader?',
  ],
])('finds %s in: %s', (trait, texts) => {
  for (const text of texts.split(' ¦ ')) expect(traitsOf(text), text).toContain(trait);
});

it.each([
  ['code-words', 'Give me two mock-ups to react to'],
  ['creative-words', 'any idea why my bread is so flat?'],
  ['code-request', 'Find out why the build of the api is slow ¦ Add the meeting to my calendar'],
])('finds no %s in: %s', (trait, texts) => {
  for (const text of texts.split(' ¦ ')) expect(traitsOf(text), text).not.toContain(trait);
});
