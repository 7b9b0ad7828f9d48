import { createInterface } from 'node:readline/promises';
import { encode } from '../../api/wire.ts';
import type { SynonymPair } from '../../decomposition/synonyms.ts';
import { synonymsView } from '../../decomposition/views/synonyms-view.ts';
import { AssayError } from '../../errors.ts';
import {
  askSynonyms,
  pairsFor,
  ratePair,
  readSynonyms,
} from '../../operations/decomposition/judge-synonyms.ts';
import type { Ports } from '../../operations/ports.ts';
import { plain } from '../../report/unsafe-text.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand, STORE_OPTIONS, type Terminal } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'decomposition synonyms',
  asks: true,
  summary: 'Find missed and extra concepts of a run that mean the same, by a model and by raters',
  positionals: { usage: '[RUN]', max: 1 },
  options: {
    model: {
      type: 'text',
      value: 'NAME',
      doc: 'The model: openai/…, anthropic/…, google/… or compatible/…',
    },
    'base-url': { type: 'text', value: 'URL', doc: 'Base URL of the provider' },
    'max-cost': { type: 'number', above: 0, value: 'USD', doc: 'Maximum cost' },
    rate: { type: 'flag', doc: 'Rate the pairs yourself, without seeing the ratings of the model' },
    author: { type: 'text', value: 'NAME', doc: 'Name of the rater (default: your git user)' },
    format: DOCUMENT_FORMAT_OPTION,
    ...STORE_OPTIONS,
  },
  examples: [
    'assay decomposition synonyms --model openai/gpt-5-mini --max-cost 0.10',
    'assay decomposition synonyms --rate',
    'assay decomposition synonyms',
  ],
  notes: [
    'The model gets names of concepts and no text. Its ratings count only after its agreement with raters was measured.',
  ],
  audited: ({ positionals, values }) =>
    values.rate || values.model !== undefined ? (positionals[0] ?? '') : undefined,
  run: async (args, terminal) => {
    const { model, rate, author: named, 'base-url': baseUrl, 'max-cost': maxCostUsd } = args.values;
    const [run] = args.positionals;
    if (rate && model !== undefined) throw new AssayError('USAGE', 'give either --model or --rate');
    const result = await withPorts(
      args,
      terminal,
      async (ports) => {
        if (model !== undefined)
          return askSynonyms({ run, model, baseUrl, env: terminal.env, maxCostUsd }, ports);
        const author = named ?? ports.identity();
        if (rate) await rateInTurn(await pairsFor({ run, author }, ports), author, terminal, ports);
        return readSynonyms({ run }, ports);
      },
      'project',
    );
    await printResult(args, terminal, {
      document: () => synonymsView(result, args.given),
      json: async () =>
        encode((await import('../../api/schema/decomposition.ts')).decompositionSynonyms, result),
    });
    return result.pairs.length === 0 ? 2 : 0;
  },
});

async function rateInTurn(
  pairs: readonly SynonymPair[],
  author: string,
  terminal: Terminal,
  ports: Ports,
): Promise<void> {
  if (pairs.length > 0 && !process.stdin.isTTY)
    throw new AssayError('USAGE', 'rating pairs needs a terminal');
  const input = createInterface({ input: process.stdin, output: process.stderr });
  terminal.note(`${pairs.length} pairs. y the same, n different, s to skip, q to stop.\n`);
  try {
    for (const pair of pairs) {
      terminal.note(`\n${plain(pair.caseId)}: “${plain(pair.expected)}” and “${plain(pair.extracted)}”\n`);
      const said = (await input.question('The same? ')).trim().toLowerCase();
      if (said === 'q') break;
      if (said === 'y' || said === 'n') await ratePair({ pair, isSame: said === 'y', author }, ports);
    }
  } catch (error) {
    // Ctrl-C is one more way to stop; what was said is stored.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  } finally {
    input.close();
  }
}
