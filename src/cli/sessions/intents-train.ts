import { encodeIntents } from '../../api/encode/session-intents.ts';
import { AssayError } from '../../errors.ts';
import { trainIntents } from '../../operations/session/train-intents.ts';
import { intentsDocument } from '../../session/documents/intents.ts';
import type { Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { ask } from './ask.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command: Command = {
  name: 'sessions intents train',
  summary: 'Learn kinds of work from your own labels, and say whether that beats the rules',
  positionals: PATHS,
  options: {
    labels: { type: 'string', value: 'FILE', doc: 'CSV or JSONL with session_id,task_type' },
    out: { type: 'string', value: 'FILE', doc: 'Write what was learnt here, for --intents' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
  },
  examples: ['assay sessions intents train --labels types.csv --out intents.json'],
  run: async (args, terminal) => {
    const [labels, out] = [textOf(args, 'labels'), textOf(args, 'out')];
    if (labels === undefined)
      throw new AssayError(
        'USAGE',
        'Which sessions are of which kind? --labels names a file with session_id,task_type',
      );
    const result = await ask(args, terminal, (request, ports) =>
      trainIntents({ ...request, labels, ...(out !== undefined && { out }) }, ports),
    );
    await printResult(args, terminal, {
      json: () => encodeIntents(result),
      document: () => intentsDocument(result, sessionsGiven(args, command.options)),
    });
    return result.validation.verdict === 'too few to tell' ? 2 : 0;
  },
};
