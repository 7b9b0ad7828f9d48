/**
 * Holds what the local extractor reaches on abstracts that it has not learnt from. All figures, also those that need
 * learning again, are printed by `npm run bench:local-extractor`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DATA, readAbstracts } from '../../../../../bench/local-extractor/data.ts';
import { abstractHits, pooledF1 } from '../../../../../bench/local-extractor/measure.ts';
import { modelOf } from './model.ts';
import weights from './weights.json' with { type: 'json' };

const file = join(DATA, 'inspec/dev.jsonl');

describe.skipIf(!existsSync(file))(`keyphrases of abstracts (needs ${file})`, () => {
  it('reaches F1@10 of at least 0.41 on every third abstract of the part it has not learnt from', () => {
    const sample = readAbstracts('dev').filter((_, i) => i % 3 === 0);
    const model = modelOf(weights);
    const f1 = pooledF1(sample.map((one) => abstractHits(one, model)));
    expect(sample.length).toBe(167);
    expect(f1).toBeGreaterThan(0.41);
  });
});
