/**
 * Learns what the local extractor ships and writes it: `node bench/local-extractor/train.ts`. Needs the sets of
 * ../shared/data/decomposition. The same data gives the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGoldenSet } from '../../src/decomposition/ingest/golden-case.ts';
import { GOLDEN, has, readAbstracts, readCausalNews, readCauseEffect, readHyponyms } from './data.ts';
import { learnBase, type Marked, prepare } from './learn.ts';
import { shippedWeights, weightsWithoutEach } from './shipped.ts';

const missing = ['inspec', 'semeval2010-task8', 'scienceie', 'causal-news'].filter((part) => !has(part));
if (missing.length > 0) {
  console.log(`nothing was learnt: ${missing.join(', ')} of ../shared/data/decomposition not there`);
  process.exit(2);
}
const folder = join(import.meta.dirname, '../../src/decomposition/ingest/extractors/local');
const causes = readCauseEffect();
const base = learnBase(readAbstracts('train'), causes);
const cases = readGoldenSet(GOLDEN).cases.map((one) => prepare(one, base.model));
const marked: readonly Marked[] = [
  { predicate: 'CAUSES', pairs: causes },
  { predicate: 'IS_A', pairs: readHyponyms('train').pairs },
  { predicate: 'CAUSES', clauses: true, pairs: readCausalNews() },
];
const weights = shippedWeights(base, cases, marked);
const without = weightsWithoutEach(weights, cases, marked);
writeFileSync(join(folder, 'weights.json'), `${JSON.stringify(weights, null, 2)}\n`);
writeFileSync(join(folder, 'weights-without.json'), `${JSON.stringify(without, null, 2)}\n`);
console.log(`weights.json and weights-without.json of ${folder} written`);
