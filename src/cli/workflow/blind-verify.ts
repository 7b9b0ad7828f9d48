import { encode } from '../../api/wire.ts';
import { verifyBlind } from '../../operations/workflow/blind.ts';
import { verificationView } from '../../workflow/views/blind-check.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { FOLDER, folderOf } from './blind-options.ts';

export const command = defineCommand({
  name: 'workflow blind verify',
  summary:
    'Check the hash chain of a blind evaluation: the first entry that was altered, removed or inserted',
  positionals: FOLDER,
  options: {
    receipt: {
      type: 'text',
      value: 'N:HASH',
      doc: 'A receipt that a seal printed: is that entry still there?',
    },
    truth: { type: 'path', value: 'FILE', doc: 'Is this file the ground truth that was sealed?' },
    format: DOCUMENT_FORMAT_OPTION,
  },
  examples: [
    'assay workflow blind verify blind',
    'assay workflow blind verify blind --truth examples/workflow/truth/webhook-relay.yaml',
  ],
  run: async (args, terminal) => {
    const folder = folderOf(args);
    const result = verifyBlind({ folder, receipt: args.values.receipt, truth: args.values.truth });
    await printResult(args, terminal, {
      json: async () =>
        encode((await import('../../api/schema/workflow-blind.ts')).blindVerification, result),
      document: () => verificationView(result, folder),
    });
    return result.intact ? 0 : 1;
  },
});
