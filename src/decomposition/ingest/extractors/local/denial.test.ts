/** Sentences that deny, doubt, lessen or state; `npm run bench:denial` prints the rates with their intervals. */
import { expect, it } from 'vitest';
import { readDenial } from '../../../../../bench/local-extractor/denial/measure.ts';
import { PARTS, readSentences } from '../../../../../bench/local-extractor/denial/sentences.ts';
import { modelOf } from './model.ts';
import weights from './weights.json' with { type: 'json' };

const model = modelOf(weights);

it.each(PARTS)('has 60 sentences or more of every kind in the part %s', (part) => {
  const sentences = readSentences(part);
  expect(sentences.length).toBeGreaterThanOrEqual(60);
  expect(new Set(sentences.map(({ kind }) => kind)).size).toBe(4);
});

it('takes none of the denied or doubted sentences that it was developed on for a statement', () => {
  const reads = readDenial(readSentences('developed-on'), model);
  const wrong = reads.filter(({ sentence, wrong: edges }) => sentence.kind !== 'stated' && edges.length > 0);
  expect(wrong.map(({ sentence }) => sentence.text)).toEqual([]);
});

it('finds most of what similar sentences do state', () => {
  const reads = readDenial(readSentences('developed-on'), model);
  const stated = reads.filter(({ sentence }) => sentence.kind === 'stated');
  expect(stated.filter(({ found }) => found).length / stated.length).toBeGreaterThanOrEqual(0.8);
});
