import { encode } from '../../api/wire.ts';
import { checkBlind, type OpenRequest } from '../../operations/workflow/blind.ts';
import { biasView } from '../../workflow/views/blind-check.ts';
import {
  ALL_OPTION,
  DOCUMENT_FORMAT_OPTION,
  defineCommand,
  type Options,
  type SomeArguments,
  type Terminal,
} from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { BY_OPTION, evaluatorNameOf, FOLDER, folderOf, namesIn } from './blind-options.ts';

/**
 * Opening the results ends the evaluation, so the evaluators who are excluded and the open questions are shown first.
 */
export const OPEN_OPTIONS = {
  without: {
    type: 'list',
    value: 'NAMES',
    doc: 'Go on without evaluators who have begun and not finished (a,b)',
  },
  truth: {
    type: 'path',
    value: 'FILE',
    doc: 'Refuse unless this file is the ground truth that was sealed',
  },
  'leave-disputes': {
    type: 'flag',
    doc: 'Open the results even if disputed findings lack a third label',
  },
} as const satisfies Options;

type OpenArguments = SomeArguments<typeof OPEN_OPTIONS & typeof BY_OPTION>;

export function openRequest(args: OpenArguments, terminal: Terminal): OpenRequest {
  return {
    folder: folderOf(args),
    by: () => evaluatorNameOf(args, terminal),
    without: namesIn(args.values.without),
    leaveDisputes: args.values['leave-disputes'] === true,
    truth: args.values.truth,
  };
}

export const command = defineCommand({
  name: 'workflow blind check',
  summary: 'Step 4 of a blind evaluation: agreement, calibration and signs of bias; opens the results',
  positionals: FOLDER,
  options: {
    ...OPEN_OPTIONS,
    ...BY_OPTION,
    gate: {
      type: 'flag',
      doc: 'Exit with 1 when there is a sign of bias, with 2 when findings stay undecided',
    },
    format: DOCUMENT_FORMAT_OPTION,
    all: ALL_OPTION,
  },
  examples: [
    'assay workflow blind check blind',
    'assay workflow blind check blind --without bob --format json',
  ],
  audited: ({ positionals }) => positionals[0] ?? '',
  run: (args, terminal) =>
    withPorts({ values: {} }, terminal, async (ports) => {
      const request = openRequest(args, terminal);
      const check = checkBlind(request, ports);
      await printResult(args, terminal, {
        json: async () => encode((await import('../../api/schema/workflow-blind.ts')).blindCheck, check),
        document: () => biasView(check, request.folder, args.values.all),
      });
      if (!args.values.gate) return 0;
      return check.flagged ? 1 : check.agreement.disputed > 0 ? 2 : 0;
    }),
});
