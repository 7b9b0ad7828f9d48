import { expect, it } from 'vitest';
import { kindOfReply } from './special-reply.ts';

it.each([
  ['HEARTBEAT_OK', 'heartbeat-ok'],
  ['**HEARTBEAT_OK**', 'heartbeat-ok'],
  ['All quiet. HEARTBEAT_OK', 'heartbeat-ok'],
  [`HEARTBEAT_OK ${'x'.repeat(301)}`, 'text'],
  ['I saw HEARTBEAT_OK in the log', 'text'],
  ['NO_REPLY', 'no-reply'],
  [' no_reply\n', 'no-reply'],
  ['NO_REPLY because nothing happened', 'text'],
  ['Nothing to report.', 'nothing-to-report'],
  ['Checked the inbox: no new messages.', 'nothing-to-report'],
  [`No new messages. ${'But here is a lot of work. '.repeat(30)}`, 'text'],
  ["I'm sorry, but I can't help with that.", 'refusal'],
  ['I cannot process this request because the ticket is non-refundable.', 'refusal'],
  ["I can't reproduce it yet, looking further.", 'text'],
  ['Done: three files changed.', 'text'],
  ['  \n', 'empty'],
] as const)('%j is %s', (text, kind) => {
  expect(kindOfReply(text)).toBe(kind);
});

it('takes a long report for an all-clear only where a clock set the run going', () => {
  const long = `All quiet. ${'I checked the queue, it is empty. '.repeat(20)}`;
  expect(kindOfReply(long, true)).toBe('nothing-to-report');
  expect(kindOfReply(long)).toBe('text');
});
