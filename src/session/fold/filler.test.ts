import { expect, it } from 'vitest';
import { isFiller } from './filler.ts';

it.each([
  'Sure! Let me take a look.',
  "Of course, I'd be happy to help you with that.",
  'Great question! One moment, please.',
  'Hello! How can I help you today?',
  "You're welcome! Have a great day!",
  'Let me know if you need anything else.',
  'Gerne! Einen Moment bitte.',
  '👍 Got it.',
  'Great question! I would be happy to help you with this and with anything else that you need. Just say the word.',
])('is: %s', (text) => {
  expect(isFiller(text)).toBe(true);
});

it.each([
  '1889',
  'Yes.',
  'No',
  'Done.',
  'Sure, it was 1889.',
  'Let me check the second file: it has the old name.',
  'Ok, the port is 8080.',
  '42 km',
  'Happy to help: it was finished in 1889.',
  'Happy to help! The tower was finished before the fair opened.',
  '',
])('is not: %j', (text) => {
  expect(isFiller(text)).toBe(false);
});
