import { encode } from '../../api/wire.ts';
import { rollbackView } from '../../decomposition/views/prompt-views.ts';
import { rollBackPrompt } from '../../operations/decomposition/prompt-versions.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { PROMPTS_OPTION, promptsToWrite } from './prompt-options.ts';

export const command = defineCommand({
  name: 'decomposition prompt rollback',
  summary: 'Roll back to an earlier version of a prompt; nothing is deleted',
  positionals: { usage: 'NAME', max: 1 },
  options: {
    reason: { type: 'text', value: 'TEXT', doc: 'Why, for the ledger and the CHANGELOG' },
    prompts: PROMPTS_OPTION,
    format: DOCUMENT_FORMAT_OPTION,
  },
  examples: [
    'assay decomposition prompt rollback decompose-concepts --reason "recall fell in production"',
    'assay decomposition prompt rollback decompose-concepts-v1.0',
  ],
  audited: ({ positionals }) => positionals[0] ?? '',
  run: async (args, terminal) => {
    const request = {
      prompts: promptsToWrite(args, terminal),
      name: args.positionals[0],
      reason: args.values.reason?.trim() || 'no reason given',
    };
    const rollback = await withPorts({ values: {} }, terminal, (ports) => rollBackPrompt(request, ports));
    await printResult(args, terminal, {
      document: () => rollbackView(rollback, args.given),
      json: async () => encode((await import('../../api/schema/prompts.ts')).promptRollback, rollback),
    });
    return 0;
  },
});
