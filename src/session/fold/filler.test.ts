import { describe, expect, it } from 'vitest';
import { isFiller, isPromise } from './filler.ts';

describe('filler', () => {
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
    'Absolutely! I can definitely help with that.',
    "As an AI language model, I'm here to assist you with any questions you may have.",
    "I'll start by looking at the code. One moment please.",
    'Hmm, interesting.',
    '...',
    "Thanks for reaching out! I'll be right with you.",
    'I understand your request and will get started right away.',
    "Excellent! I'm excited to work on this with you.",
    'I have received your message and am processing it.',
    "Thank you for your patience, I'm still working on this.",
    "That's a really interesting topic and I'm so glad you asked. There are many aspects to consider here and it depends on a variety of factors. It's important to think carefully about it. I hope this gives you a good starting point. Let me know if you'd like me to elaborate on anything!",
  ])('is: %s', (text) => {
    expect(isFiller(text)).toBe(true);
  });

  it.each([
    '1889',
    'Yes.',
    'No',
    'Done.',
    'Sure.',
    'Of course!',
    '👍',
    'Sure, it was 1889.',
    'Let me check the second file: it has the old name.',
    'Ok, the port is 8080.',
    '42 km',
    'Happy to help: it was finished in 1889.',
    'Happy to help! The tower was finished before the fair opened.',
    'Let me see your configuration file.',
    'I will use Postgres.',
    'I think so.',
    'I need your key first.',
    'Great, the tests pass now.',
    'You should take the train.',
    'The second one',
    'It depends on the size of the window.',
    'There are many ways to sort a list in place.',
    '',
  ])('is not: %j', (text) => {
    expect(isFiller(text)).toBe(false);
  });
});

describe('a promise', () => {
  it.each(["I'll get right on that!", 'Sure, let me look into that for you!', 'One moment please.'])(
    'is: %s',
    (text) => {
      expect(isPromise(text)).toBe(true);
    },
  );

  it.each([
    "You're welcome! Have a great day!",
    'Hello! How can I help you today?',
    'Great question! I would be happy to help. Let me know if you need anything else.',
    'I checked it. Let me know if you want me to fix it.',
    'I will run it again tomorrow at 9.',
  ])('is not: %s', (text) => {
    expect(isPromise(text)).toBe(false);
  });
});
