import { encodeDecompositionQueue } from '../../api/encode/decomposition-queue.ts';
import { queueDocument } from '../../decomposition/documents/queue-document.ts';
import { AssayError } from '../../errors.ts';
import { ratingQueue } from '../../operations/production/rating-queue.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { rateInTurn } from './rate-dialogue.ts';
import { rateOne } from './rate-one.ts';

const OPTIONS = {
  acceptable: { type: 'boolean', doc: 'The request with this ID was answered acceptably' },
  unacceptable: { type: 'boolean', doc: 'It was not' },
  wrong: { type: 'string', value: 'LABELS', list: true, doc: 'Concepts of it that are wrong' },
  fabricated: {
    type: 'string',
    value: 'LABELS',
    list: true,
    doc: 'Concepts of it that the text says nothing of',
  },
  reason: { type: 'string', value: 'TEXT', doc: 'Why' },
  author: { type: 'string', value: 'NAME', doc: 'Who rates (default: who you are to git)' },
  days: { type: 'string', value: 'N', default: '7', doc: 'Requests of the last so many days' },
  list: { type: 'boolean', doc: 'Only print what waits to be rated' },
  format: DOCUMENT_FORMAT_OPTION,
  ...STORE_OPTION,
  ...CONFIG_OPTION,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'production rate',
  asks: true,
  summary: 'Rate sampled requests of production: acceptable or not, and which concepts are wrong or made up',
  positionals: { usage: '[ID]', max: 1 },
  options: OPTIONS,
  examples: [
    'assay production rate',
    'assay production rate --list --format json',
    'assay production rate req-81f2 --unacceptable --fabricated "Concrete" --reason "nowhere in the text"',
  ],
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const days = Number(textOf(args, 'days'));
    if (!(days > 0)) throw new AssayError('USAGE', '--days is a number above 0');
    return withPorts(args, terminal, async (ports) => {
      const author = textOf(args, 'author') ?? ports.identity();
      const [id] = args.positionals;
      const isSaid = args.values.acceptable === true || args.values.unacceptable === true;
      if (id !== undefined && isSaid) return rateOne(id, author, args, terminal, ports);
      const limit = args.values.list === true ? 1000 : 10_000;
      const queue = await ratingQueue({ days, limit, id, map: config.decomposition.map }, ports);
      if (args.values.list !== true && queue.items.length > 0 && process.stdin.isTTY)
        return rateInTurn(queue.items, author, terminal, ports);
      await printResult(args, terminal, {
        document: () => queueDocument(queue, givenOf(args, OPTIONS)),
        json: () => encodeDecompositionQueue(queue),
      });
      return queue.items.length === 0 ? 2 : 0;
    });
  },
};
