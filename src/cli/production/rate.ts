import { createInterface, type Interface } from 'node:readline/promises';
import { encode } from '../../api/wire.ts';
import { queueView } from '../../decomposition/views/production-check-view.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../../operations/ports.ts';
import {
  type QueuedDecomposition,
  rateDecomposition,
  ratingQueue,
} from '../../operations/production/rate-decomposition.ts';
import { formatAmount } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand, STORE_OPTIONS, type Terminal } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'production rate',
  asks: true,
  summary: 'Rate sampled requests of production: acceptable or not, and which concepts are wrong or made up',
  positionals: { usage: '[ID]', max: 1 },
  options: {
    acceptable: { type: 'flag', doc: 'The request with this ID was answered acceptably' },
    unacceptable: { type: 'flag', doc: 'The request with this ID was not answered acceptably' },
    wrong: { type: 'list', value: 'LABELS', doc: 'Wrong concepts' },
    fabricated: {
      type: 'list',
      value: 'LABELS',
      doc: 'Concepts that the text does not support',
    },
    missing: { type: 'list', value: 'LABELS', doc: 'Missing concepts' },
    complete: { type: 'flag', doc: 'No concept is missing' },
    reason: { type: 'text', value: 'TEXT', doc: 'Why' },
    author: { type: 'text', value: 'NAME', doc: 'Name of the rater (default: your git user)' },
    days: { type: 'number', above: 0, value: 'N', default: 7, doc: 'Only requests of the last N days' },
    list: { type: 'flag', doc: 'Only print the requests to rate' },
    format: DOCUMENT_FORMAT_OPTION,
    ...STORE_OPTIONS,
  },
  examples: [
    'assay production rate',
    'assay production rate --list --format json',
    'assay production rate req-81f2 --unacceptable --fabricated "Concrete" --reason "nowhere in the text"',
  ],
  audited: ({ positionals, values }) => (values.list ? undefined : (positionals[0] ?? '')),
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const { days, list, acceptable, unacceptable } = args.values;
    return withPorts(
      args,
      terminal,
      async (ports) => {
        const author = args.values.author ?? ports.identity();
        const [id] = args.positionals;
        const isSaid = acceptable || unacceptable;
        if (id !== undefined && isSaid) return rateOne(id, author, args.values, terminal, ports);
        const limit = list ? 1000 : 10_000;
        const queue = await ratingQueue({ author, days, limit, id, map: config.decomposition.map }, ports);
        if (!list && queue.items.length > 0 && process.stdin.isTTY)
          return rateInTurn(queue.items, author, terminal, ports);
        await printResult(args, terminal, {
          document: () => queueView(queue, args.given),
          json: async () =>
            encode((await import('../../api/schema/decomposition-rating.ts')).decompositionQueue, queue),
        });
        return queue.items.length === 0 ? 2 : 0;
      },
      'project',
    );
  },
});

type Said = {
  readonly acceptable: boolean;
  readonly unacceptable: boolean;
  readonly reason?: string;
  readonly wrong?: readonly string[];
  readonly fabricated?: readonly string[];
  readonly missing?: readonly string[];
  readonly complete: boolean;
};

/** What was said of a request by options alone. */
async function rateOne(
  id: string,
  author: string,
  { acceptable, unacceptable, reason, wrong = [], fabricated = [], missing, complete }: Said,
  { env, note }: Terminal,
  ports: Ports,
): Promise<number> {
  if (acceptable && unacceptable) throw new AssayError('USAGE', 'give either --acceptable or --unacceptable');
  if (complete && missing !== undefined) throw new AssayError('USAGE', 'give either --missing or --complete');
  const concepts = [
    ...fabricated.map((label) => ({ label, acceptable: false, fabricated: true })),
    ...wrong.filter((label) => !fabricated.includes(label)).map((label) => ({ label, acceptable: false })),
  ];
  const lacks = complete ? [] : missing;
  const request = { id, author, acceptable, reason, concepts, missing: lacks, environment: env };
  const ratings = await rateDecomposition(request, ports);
  note(`Stored ${formatAmount(ratings.length, 'rating')} of ${id} by ${author}.\n`);
  return 0;
}

/** One sampled request after the other: input, output and your rating. */
async function rateInTurn(
  items: readonly QueuedDecomposition[],
  author: string,
  terminal: Terminal,
  ports: Ports,
): Promise<number> {
  const input = createInterface({ input: process.stdin, output: process.stderr });
  let rated = 0;
  terminal.note(`${items.length} to rate. y acceptable, n not, s to skip, q to stop and continue later.\n`);
  try {
    for (const [i, item] of items.entries()) {
      terminal.note(`\n${i + 1} of ${items.length}\n${describe(item)}\n`);
      const answer = await choose(input, terminal);
      if (answer === 'q') break;
      if (answer === 's') continue;
      const wrong = await numbers(input, 'Wrong concepts, by number (Enter for none): ', item);
      const made =
        wrong.length === 0 ? [] : await numbers(input, 'Of these, made up (Enter for none): ', item);
      const lacks = (
        await input.question('Missing concepts, separated by commas (- for none, Enter to skip): ')
      ).trim();
      const missing = lacks === '' ? undefined : lacks === '-' ? [] : labelsIn(lacks);
      const reason = (await input.question('Why (Enter for nothing): ')).trim();
      const concepts = wrong.map((label) => ({ label, acceptable: false, fabricated: made.includes(label) }));
      // At once, so that nothing said is lost.
      const acceptable = answer === 'y';
      const request = { id: item.record.id, acceptable, reason, concepts, missing, author };
      await rateDecomposition({ ...request, environment: terminal.env }, ports);
      rated += 1;
    }
  } catch (error) {
    // Ctrl-C at the question stops too; ratings so far are stored.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  } finally {
    input.close();
  }
  terminal.note(`\n${rated} rated and stored, ${items.length - rated} left.\n`);
  return 0;
}

function labelsIn(typed: string): string[] {
  return typed
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}

async function choose(input: Interface, terminal: Terminal): Promise<string> {
  for (;;) {
    const answer = (await input.question('Acceptable as a whole? y, n, s, q: ')).trim().toLowerCase();
    if (/^[ynsq]$/.test(answer)) return answer;
    terminal.note('y for acceptable, n for not, s to skip, q to stop.\n');
  }
}

/** Labels of the concepts with the given numbers; other numbers are ignored. */
async function numbers(input: Interface, question: string, item: QueuedDecomposition): Promise<string[]> {
  if (item.concepts.length === 0) return [];
  const typed = await input.question(question);
  return [...new Set(typed.match(/\d+/g) ?? [])].flatMap((n) => item.concepts[Number(n) - 1]?.label ?? []);
}

function describe({ record, text, concepts }: QueuedDecomposition): string {
  const facts = [record.promptVersion, record.model, record.topic].filter((one) => one !== undefined);
  return [
    `${plain(record.id)} (${[record.at, ...facts.map((one) => plain(one))].join(', ')})`,
    text === undefined
      ? `Its text was not stored; look it up by its id. ${record.concepts ?? 0} concepts, ${record.relationships ?? 0} relationships.`
      : plain(text.text),
    ...concepts.map(
      ({ label, quote }, i) =>
        `  ${i + 1}. ${plain(label)}${quote === undefined ? '' : ` — “${plain(quote)}”`}`,
    ),
  ].join('\n');
}
