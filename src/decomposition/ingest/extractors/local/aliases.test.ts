import { expect, it } from 'vitest';
import { analyse } from './analyse.ts';
import { namingsOf } from './concepts.ts';

function namings(text: string): string[] {
  const analysis = analyse(text);
  const read = ({ at, length }: { at: number; length: number }) =>
    analysis.words
      .slice(at, at + length)
      .map((word) => word.text)
      .join(' ');
  return namingsOf(analysis).map(({ name, alias }) => `${read(alias)} = ${read(name)}`);
}

it.each([
  ['Natural language processing (NLP) reads text.', ['NLP = Natural language processing']],
  ['The internet of things (IoT) grows.', ['IoT = internet of things']],
  ['They use graphics processing units (GPUs) here.', ['GPUs = graphics processing units']],
  ['A multi-agent system (MAS) acts.', ['MAS = multi-agent system']],
  ['The whip effect, also called the snake effect, spreads.', ['snake effect = whip effect']],
  ['Table salt (also known as sodium chloride) dissolves.', ['sodium chloride = Table salt']],
])('reads two names of one thing in "%s"', (text, expected) => {
  expect(namings(text)).toEqual(expected);
});

it.each([
  'The committee (UNESCO) met.',
  'The model was trained (see Table 2).',
  'Rivers (A) flow.',
  'A device called home.',
])('reads no second name in "%s"', (text) => {
  expect(namings(text)).toEqual([]);
});
