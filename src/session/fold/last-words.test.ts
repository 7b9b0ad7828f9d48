import { describe, expect, it } from 'vitest';
import { regexWork } from '../../testing/regex-work.ts';
import { bringsFailure } from './brought-failure.ts';
import { asksForReport, asksSomething, declinesSomething } from './last-words.ts';

describe('the last words of an agent', () => {
  it('ask something', () => {
    expect(asksSomething('It is done. Shall I commit it')).toBe(true);
    expect(asksSomething('It is done.')).toBe(false);
  });

  it.each([
    'Please run it and paste the full output here.',
    'What does it print on your machine?',
    'Send me the log and I will look at it.',
  ])('ask for a report: %s', (text) => {
    expect(asksForReport(text)).toBe(true);
  });

  it.each([
    'Let me know what you think of the plan.',
    'Tell me when I should go on.',
    'Done, all tests pass.',
  ])('do not: %s', (text) => {
    expect(asksForReport(text)).toBe(false);
  });

  it.each([
    'I’m sorry, but I cannot refund this ticket.',
    'Under our policy the fare cannot be changed.',
    'I am unable to make an exception here.',
    'You are not eligible for compensation.',
  ])('decline something: %s', (text) => {
    expect(declinesSomething(text)).toBe(true);
  });

  it.each([
    "I can't find the file you mean.",
    'I cannot reproduce it, the tests pass here.',
    'The policy file is in the docs folder.',
    'Done: the value is not changed any more.',
  ])('decline nothing: %s', (text) => {
    expect(declinesSomething(text)).toBe(false);
  });

  it('are looked at in bounded parts', () => {
    for (const unit of ['a', 'paste the ', 'i cannot ', '\n ', 'it fails ']) {
      const text = unit.repeat(500_000 / unit.length);
      const looks = [asksSomething, asksForReport, declinesSomething, bringsFailure];
      const { calls, longest } = regexWork(() => looks.forEach((look) => void look(text)));
      expect(longest, unit).toBeLessThanOrEqual(6_000);
      expect(calls, unit).toBeLessThanOrEqual(2_500);
    }
  });
});
