import { encodeExplanation } from '../../api/encode/explanation.ts';
import { AssayError } from '../../errors.ts';
import { explainSession } from '../../operations/session/explain-session.ts';
import { explanationDocument } from '../../session/documents/explanation.ts';
import type { Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS } from './looking-options.ts';
import { sessionsGiven } from './session-request.ts';

export const command: Command = {
  name: 'sessions explain',
  summary: 'Why a session scored as it did: each signal, what it cost, and the lines behind it',
  positionals: { usage: 'ID [PATH…]', max: Number.POSITIVE_INFINITY },
  options: {
    format: DOCUMENT_FORMAT_OPTION,
    show: { type: 'boolean', doc: 'Quote the lines behind the score, from the transcript as it is now' },
    'per-message': { type: 'boolean', doc: 'Show how the score came about along the session' },
    'every-run': { type: 'boolean', doc: 'Show the signals of every run, not only of the lowest' },
    ...LOOKING_OPTIONS,
  },
  examples: [
    'assay sessions explain 7ef1',
    'assay sessions explain 7ef1 --show',
    'assay sessions explain 7ef1 ~/.codex/sessions --format json',
  ],
  run: async (args, terminal) => {
    const [id, ...positionals] = args.positionals;
    if (id === undefined) throw new AssayError('USAGE', 'assay sessions explain needs the id of a session');
    // Whoever asks why wants to see all of it.
    const asked = { positionals, values: { ...args.values, all: true } };
    const quotes = args.values.show === true ? { environment: terminal.env } : undefined;
    const perMessage = args.values['per-message'] === true;
    const explanation = await look(asked, terminal, (request, ports) =>
      explainSession({ ...request, id, perMessage, quotes }, ports),
    );
    await printResult(asked, terminal, {
      json: () => encodeExplanation(explanation),
      document: () =>
        explanationDocument(explanation, {
          ...sessionsGiven({ ...args, positionals }, command.options),
          everyRun: args.values['every-run'] === true,
        }),
    });
    return 0;
  },
};
