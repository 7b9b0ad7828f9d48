import { expect, it } from 'vitest';
import { readGoldenSet } from '../../golden-case.ts';
import { extractLocally, localExtractor } from './local.ts';
import { caseLearntFrom, modelOf } from './model.ts';
import weights from './weights.json' with { type: 'json' };
import without from './weights-without.json' with { type: 'json' };

const cases = readGoldenSet('golden').cases;
const learnt = cases.filter(({ sourceText }) => caseLearntFrom(sourceText, weights) !== undefined);

it('knows the shipped cases that it was learnt from, whatever their spacing', () => {
  expect(learnt.length).toBeGreaterThanOrEqual(10);
  for (const { id, sourceText } of learnt) {
    expect(caseLearntFrom(`  ${sourceText.replaceAll('\n\n', '\n \n\n')}\n`, weights)).toBe(id);
    expect(without).toHaveProperty([id]);
  }
});

it('knows a paragraph of one', () => {
  const [one] = learnt;
  expect(caseLearntFrom(`A new beginning.\n\n${one?.sourceText.split('\n\n')[1]}`, weights)).toBe(one?.id);
});

it('knows no text that it was not learnt from', () => {
  expect(
    caseLearntFrom('Coral reefs bleach in warm water, and they recover slowly. '.repeat(5), weights),
  ).toBe(undefined);
});

it('reads the text of such a case with other weights than a new text', async () => {
  const extractor = localExtractor();
  const seen = modelOf(weights);
  const some = learnt.slice(0, 5);
  const changed = await Promise.all(
    some.map(async ({ id, sourceText }) => {
      const output = await extractor.extract(
        { id, text: sourceText, trial: 1 },
        new AbortController().signal,
      );
      return JSON.stringify(output) !== JSON.stringify(extractLocally(sourceText, seen));
    }),
  );
  expect(changed).toEqual(some.map(() => true));
});
