import { formatAmount } from '../../report/number.ts';
import { NOT_SEEN, verifySession } from '../../workflow/blind/verify.ts';
import { readTruth } from '../../workflow/ingest/import-truth.ts';
import type { Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION, printDocument } from '../print-report.ts';
import { FOLDER, folderOf } from './blind-options.ts';

export const command: Command = {
  name: 'workflow blind verify',
  summary:
    'Check the hash chain of a blind evaluation: the first entry that was altered, removed or inserted',
  positionals: FOLDER,
  options: {
    receipt: {
      type: 'string',
      value: 'N:HASH',
      doc: 'A receipt that a seal printed: is that entry still there?',
    },
    truth: { type: 'string', value: 'FILE', doc: 'Is this file the ground truth that was sealed?' },
    format: DOCUMENT_FORMAT_OPTION,
  },
  examples: [
    'assay workflow blind verify blind',
    'assay workflow blind verify blind --truth examples/workflow/truth/webhook-relay.yaml',
  ],
  run: async (args, terminal) => {
    const folder = folderOf(args);
    const { receipt, truth } = args.values;
    const { session: _session, ...result } = verifySession(folder, {
      ...(typeof receipt === 'string' && { receipt }),
      ...(typeof truth === 'string' && { truthHash: readTruth(truth).hash }),
    });
    await printDocument(args, terminal, result, () => ({
      title: `Chain of ${folder}`,
      verdict: result.intact ? 'passed' : 'blocked',
      answer: result.intact
        ? `${formatAmount(result.entries, 'entry', 'entries')} fit together, and so do head, ground truth and findings.`
        : `${result.fault}.`,
      blocks: [],
      notes: [
        ...result.notes,
        ...(result.intact
          ? []
          : [`${formatAmount(result.entries, 'entry', 'entries')} before that can be trusted.`]),
        NOT_SEEN,
      ],
      next: [`assay workflow blind status ${folder}`],
    }));
    return result.intact ? 0 : 1;
  },
};
