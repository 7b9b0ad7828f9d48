/**
 * What the local extractor makes of sentences that deny, doubt or lessen: `npm run bench:denial`. With `--show`, the
 * sentences of the part that the rules were developed on that it reads wrongly.
 */
import { modelOf } from '../src/decomposition/ingest/extractors/local/model.ts';
import weights from '../src/decomposition/ingest/extractors/local/weights.json' with { type: 'json' };
import { wilson } from '../src/stats/intervals.ts';
import { type Read, readDenial } from './local-extractor/denial/measure.ts';
import { KINDS, PARTS, type Part, readSentences } from './local-extractor/denial/sentences.ts';

const model = modelOf(weights);

function row(part: Part, what: string, count: number, all: number): string {
  const interval = wilson(count, all);
  const range = `${interval?.low.toFixed(3)}–${interval?.high.toFixed(3)}`;
  return `${part.padEnd(14)}${what.padEnd(44)}${`${count} of ${all}`.padEnd(12)}${(count / all).toFixed(3).padEnd(8)}${range}`;
}

function show({ sentence, wrong, found }: Read): void {
  const said = wrong.map(({ source, predicate, target }) => `${source} ${predicate} ${target}`);
  if (sentence.kind === 'stated' && !found) console.log(`missed: ${sentence.text}`);
  if (said.length > 0) console.log(`${sentence.kind}: ${sentence.text}\n    read as ${said.join('; ')}`);
}

console.log(`${'part'.padEnd(14)}${'what'.padEnd(44)}${'count'.padEnd(12)}${'share'.padEnd(8)}95% interval`);
for (const part of PARTS) {
  const reads = readDenial(readSentences(part), model);
  for (const kind of KINDS) {
    const own = reads.filter(({ sentence }) => sentence.kind === kind);
    const wrong = own.filter((one) => one.wrong.length > 0).length;
    console.log(row(part, `${kind}: with a relationship not stated`, wrong, own.length));
    if (kind === 'stated') {
      const found = own.filter((one) => one.found).length;
      console.log(row(part, 'stated: relationship found', found, own.length));
    }
  }
  if (part === 'developed-on' && process.argv.includes('--show')) for (const one of reads) show(one);
}
