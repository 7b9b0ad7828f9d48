import { exportBlind } from '../../operations/workflow/blind.ts';
import { exportedText } from '../../workflow/views/blind-steps.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { OPEN_OPTIONS, openRequest } from './blind-check.ts';
import { BY_OPTION, FOLDER } from './blind-options.ts';

export const command = defineCommand({
  name: 'workflow blind export',
  summary: 'Write the final labels of a blind evaluation as run files for scoring',
  positionals: FOLDER,
  options: {
    out: { type: 'path', value: 'FOLDER', default: 'labelled-runs', doc: 'Folder for the run files' },
    ...OPEN_OPTIONS,
    ...BY_OPTION,
  },
  examples: ['assay workflow blind export blind --out labelled-runs'],
  run: (args, terminal) =>
    withPorts({ values: {} }, terminal, async (ports) => {
      const out = String(args.values.out);
      const request = { ...openRequest(args, terminal), out };
      const { paths, truthHash } = exportBlind(request, ports);
      terminal.print(exportedText(paths, truthHash, out, request.truth));
      return 0;
    }),
});
