import { encode } from '../../api/wire.ts';
import { explainSession } from '../../operations/session/explain-session.ts';
import { explanationView } from '../../session/views/explanation.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions explain',
  summary: 'Explain the score of a session: each signal, what it cost, and the lines behind it',
  positionals: { usage: 'ID [PATH…]', min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    format: DOCUMENT_FORMAT_OPTION,
    show: { type: 'flag', doc: 'Quote the lines behind the score, from the transcript as it is now' },
    'per-message': { type: 'flag', doc: 'Show how the score developed along the session' },
    'every-run': { type: 'flag', doc: 'Show the signals of every run, not only of the lowest' },
    ...LOOKING_OPTIONS,
  },
  examples: [
    'assay sessions explain 7ef1',
    'assay sessions explain 7ef1 --show',
    'assay sessions explain 7ef1 ~/.codex/sessions --format json',
  ],
  run: async (args, terminal) => {
    const [id = '', ...positionals] = args.positionals;
    // An explanation needs all lines.
    const asked = { ...args, positionals, values: { ...args.values, all: true } };
    const titles = { environment: terminal.env };
    const quotes = args.values.show ? titles : undefined;
    const perMessage = args.values['per-message'];
    const explanation = await look(asked, terminal, (request, ports) =>
      explainSession({ ...request, id, perMessage, titles, quotes }, ports),
    );
    await printResult(asked, terminal, {
      json: async () => encode((await import('../../api/schema/explanation.ts')).explanation, explanation),
      document: () =>
        explanationView(explanation, {
          ...sessionsGiven({ ...args, positionals }),
          everyRun: args.values['every-run'],
        }),
    });
    return 0;
  },
});
