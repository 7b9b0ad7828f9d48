/** Any number of review runs, made from those of the bundled example, each without some findings. */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { random } from '../src/stats/random.ts';

const EXAMPLE = join(import.meta.dirname, '..', 'examples', 'workflow');

export type ReviewCorpus = { readonly truth: string; readonly runs: string };

type Run = { readonly findings: readonly object[] };

export function buildReviews(folder: string, count: number): ReviewCorpus {
  const runs = join(folder, `runs-${count}`);
  mkdirSync(runs, { recursive: true });
  const truth = join(folder, 'truth.yaml');
  cpSync(join(EXAMPLE, 'truth', 'webhook-relay.yaml'), truth);
  const models = globSync(join(EXAMPLE, 'runs', 'review-1', '**', '*.json'))
    .sort()
    .map((path): Run => JSON.parse(readFileSync(path, 'utf8')));
  const { below } = random(7);
  for (let i = 0; i < count; i++) {
    const model = models[i % models.length] as Run;
    const findings = model.findings.filter(() => below(10) < 8);
    writeFileSync(join(runs, `run-${i}.json`), JSON.stringify({ ...model, run: String(i), findings }));
  }
  return { truth, runs };
}
