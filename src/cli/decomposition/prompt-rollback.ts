import { encodeRollback } from '../../api/encode/prompts.ts';
import { rollbackDocument } from '../../decomposition/documents/prompt-documents.ts';
import { rollBackPrompt } from '../../operations/decomposition/roll-back-prompt.ts';
import type { Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { PROMPTS_OPTION, promptsToWrite } from './prompt-options.ts';

const OPTIONS = {
  reason: { type: 'string', value: 'TEXT', doc: 'Why, for the ledger and the CHANGELOG' },
  prompts: PROMPTS_OPTION,
  format: DOCUMENT_FORMAT_OPTION,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'decomposition prompt rollback',
  summary: 'Put a version of a prompt back in force that was in force before; nothing is deleted',
  positionals: { usage: 'NAME', max: 1 },
  options: OPTIONS,
  examples: [
    'assay decomposition prompt rollback decompose-concepts --reason "recall fell in production"',
    'assay decomposition prompt rollback decompose-concepts-v1.0',
  ],
  run: async (args, terminal) => {
    const request = {
      prompts: promptsToWrite(args, terminal),
      name: args.positionals[0],
      reason: textOf(args, 'reason')?.trim() || 'no reason given',
    };
    const rollback = await withPorts(args, terminal, (ports) => rollBackPrompt(request, ports));
    await printResult(args, terminal, {
      document: () => rollbackDocument(rollback, givenOf(args, OPTIONS)),
      json: () => encodeRollback(rollback),
    });
    return 0;
  },
};
