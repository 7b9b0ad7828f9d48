import { expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import { placesOf } from '../concepts.ts';
import { polarityOf } from './claims.ts';
import { between } from './relate.ts';

/** Of rain and floods, whichever comes first; ice is another concept. */
function polarity(text: string): string {
  const analysis = analyse(text);
  const place = (stem: string) => placesOf(analysis, stem)[0];
  const [first, second] = ['rain', 'flood']
    .map(place)
    .filter((one) => one !== undefined)
    .sort((a, b) => a.at - b.at);
  const sentence = analysis.sentences[analysis.words[first?.at ?? 0]?.sentence ?? 0];
  if (first === undefined || second === undefined || sentence === undefined)
    throw new Error('not both named');
  const ice = place('ice');
  const others = ice === undefined ? [] : [ice];
  const { words } = analysis;
  return polarityOf({ words, sentence, first, second, others }, between(words, first, second, others));
}

it.each([
  'Floods are not caused by rain.',
  'Rain does not cause floods.',
  "Rain isn't a cause of floods.",
  'Rain never causes floods.',
  'Rain no longer causes floods.',
  'Neither rain nor ice causes floods.',
  'Neither ice nor rain causes floods.',
  'Floods are due neither to ice nor to rain.',
  'No rain causes floods.',
  'Floods come without rain.',
  'Ice, not rain, causes floods.',
  'Ice rather than rain causes floods.',
  'Rather than causing floods, rain feeds rivers.',
  'Rain fails to cause floods.',
  'Rain has no effect on floods.',
  'Floods are unrelated to rain.',
  'In no case did rain cause floods.',
  'Engineers ruled out rain as the cause of the floods.',
  'Floods are due not to rain but to ice.',
])('reads that it is not so in "%s"', (text) => {
  expect(polarity(text)).toBe('denied');
});

it.each([
  'It is a myth that rain causes floods.',
  'There is no evidence that rain causes floods.',
  'The claim that rain causes floods was refuted.',
  'The theory that rain causes floods has been rejected.',
  'Whether rain causes floods is unknown.',
  'They doubt that rain causes floods.',
  'Some wrongly believe that rain causes floods.',
  'Rain allegedly causes floods.',
  'Nothing suggests that rain causes floods.',
  'They supposed that rain causes floods, which was false.',
  'No study links rain to floods.',
  'Floods come, and no evidence links rain to them.',
])('reads doubt in "%s"', (text) => {
  expect(polarity(text)).toBe('denied');
});

it.each([
  'Rain reduces floods.',
  'Floods are prevented by rain.',
  'Rain leads to a decline in floods.',
  'Rain leads to fewer floods.',
  'The loss of rain causes floods.',
  'When rain comes, floods decline.',
])('reads less of a thing in "%s"', (text) => {
  expect(polarity(text)).toBe('lessened');
});

it.each([
  'Rain causes floods.',
  'Rain may cause floods.',
  'Floods cannot come without rain.',
  'No flood comes without rain.',
  'Rain, not ice, causes floods.',
  'Rain not only melts ice but also causes floods.',
  'Floods are due not to ice but to rain.',
  'When ice does not melt, rain causes floods.',
  'Rain causes floods, which do not last.',
  'Nobody doubts that rain causes floods.',
  'There is strong evidence that rain causes floods.',
  'The claim that rain causes floods was confirmed.',
  'Rain reduces ice and causes floods.',
])('reads that it is so in "%s"', (text) => {
  expect(polarity(text)).toBe('stated');
});
