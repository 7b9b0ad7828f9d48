import { encode } from '../../api/wire.ts';
import { findFrontier } from '../../operations/session/measure-roi.ts';
import { frontierView } from '../../session/views/frontier.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { look } from './ask.ts';
import { LOOKING_OPTIONS, PATHS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions frontier',
  summary: 'The cost–quality frontier per task type, and whether the more expensive model is worth it',
  positionals: PATHS,
  options: {
    by: { type: 'choice', choices: ['model', 'agent'], default: 'model', doc: 'What to compare' },
    format: DOCUMENT_FORMAT_OPTION,
    ...LOOKING_OPTIONS,
  },
  examples: [
    'assay sessions frontier',
    'assay sessions frontier --task-type coding --format html > frontier.html',
  ],
  run: async (args, terminal) => {
    const by = args.values.by === 'agent' ? 'agent' : 'model';
    const result = await look(args, terminal, (request, ports) => findFrontier({ ...request, by }, ports));
    await printResult(args, terminal, {
      json: async () => encode((await import('../../api/schema/frontier.ts')).frontier, result),
      document: () => frontierView(result, sessionsGiven(args)),
    });
    return result.frontiers.length === 0 ? 2 : 0;
  },
});
