import { encodeBlindCheck } from '../../api/encode/workflow/blind.ts';
import { checkBlind, type OpenRequest } from '../../operations/workflow/blind-check.ts';
import { biasDocument } from '../../workflow/documents/blind-check.ts';
import type { Arguments, Command, Options, Terminal } from '../command.ts';
import { ALL_OPTION, DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { BY_OPTION, FOLDER, folderOf, namesOf, whoOf } from './blind-options.ts';
import { textsOf } from './review-request.ts';

/** Opening the results ends the evaluation, so who is left out and what stays undecided is said first. */
export const OPEN_OPTIONS: Options = {
  without: {
    type: 'string',
    value: 'NAMES',
    doc: 'Go on without evaluators who have begun and not finished (a,b)',
  },
  truth: {
    type: 'string',
    value: 'FILE',
    doc: 'Refuse unless this file is the ground truth that was sealed',
  },
  'leave-disputes': {
    type: 'boolean',
    doc: 'Open the results although disputed findings lack a third label',
  },
};

export function openRequest(args: Arguments, terminal: Terminal): OpenRequest {
  return {
    folder: folderOf(args),
    by: () => whoOf(args, terminal),
    without: namesOf(args, 'without'),
    leaveDisputes: args.values['leave-disputes'] === true,
    ...textsOf(args, 'truth'),
  };
}

export const command: Command = {
  name: 'workflow blind check',
  summary: 'Step 4 of a blind evaluation: agreement, calibration and signs of bias; opens the results',
  positionals: FOLDER,
  options: {
    ...OPEN_OPTIONS,
    ...BY_OPTION,
    gate: {
      type: 'boolean',
      doc: 'Exit with 1 when there is a sign of bias, with 2 when findings stay undecided',
    },
    format: DOCUMENT_FORMAT_OPTION,
    all: ALL_OPTION,
  },
  examples: [
    'assay workflow blind check blind',
    'assay workflow blind check blind --without bob --format json',
  ],
  run: (args, terminal) =>
    withPorts(args, terminal, async (ports) => {
      const request = openRequest(args, terminal);
      const check = checkBlind(request, ports);
      await printResult(args, terminal, {
        json: () => encodeBlindCheck(check),
        document: () => biasDocument(check, request.folder, args.values.all === true),
      });
      if (args.values.gate !== true) return 0;
      return check.flagged ? 1 : check.agreement.disputed > 0 ? 2 : 0;
    }),
};
