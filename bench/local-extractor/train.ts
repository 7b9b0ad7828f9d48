/**
 * Learns what the local extractor ships and writes it: `node bench/local-extractor/train.ts`. Needs the sets of
 * ../shared/data/decomposition. The same data gives the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGoldenSet } from '../../src/decomposition/ingest/golden-case.ts';
import { GOLDEN, has, readAbstracts, readCausalNews, readCauseEffect, readHyponyms } from './data.ts';
import { learnBase, prepare } from './learn.ts';
import { shippedWeights } from './shipped.ts';

const missing = ['inspec', 'semeval2010-task8', 'scienceie', 'causal-news'].filter((part) => !has(part));
if (missing.length > 0) {
  console.log(`nothing was learnt: ${missing.join(', ')} of ../shared/data/decomposition not there`);
  process.exit(2);
}
const file = join(import.meta.dirname, '../../src/decomposition/ingest/extractors/local/weights.json');
const causes = readCauseEffect();
const base = learnBase(readAbstracts('train'), causes);
const cases = readGoldenSet(GOLDEN).cases.map((one) => prepare(one, base.model));
const weights = shippedWeights(base, cases, [
  { predicate: 'CAUSES', pairs: causes },
  { predicate: 'IS_A', pairs: readHyponyms('train').pairs },
  { predicate: 'CAUSES', clauses: true, pairs: readCausalNews() },
]);
writeFileSync(file, `${JSON.stringify(weights, null, 2)}\n`);
console.log(`${file} written`);
