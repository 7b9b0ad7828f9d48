import { encode } from '../../api/wire.ts';
import { trainIntents } from '../../operations/session/train-intents.ts';
import { intentsView } from '../../session/views/intents.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions intents train',
  summary: 'Train a task type classifier on your labels, and test whether it beats the rules',
  positionals: PATHS,
  options: {
    labels: { type: 'path', required: true, value: 'FILE', doc: 'CSV or JSONL with session_id,task_type' },
    out: { type: 'path', value: 'FILE', doc: 'Write the classifier here, for --intents' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
  },
  examples: ['assay sessions intents train --labels types.csv --out intents.json'],
  run: async (args, terminal) => {
    const { labels, out } = args.values;
    const result = await ask(args, terminal, (request, ports) =>
      trainIntents({ ...request, labels, out }, ports),
    );
    await printResult(args, terminal, {
      json: async () => encode((await import('../../api/schema/calibration.ts')).sessionIntents, result),
      document: () => intentsView(result, sessionsGiven(args)),
    });
    return result.validation.verdict === 'too few to tell' ? 2 : 0;
  },
});
