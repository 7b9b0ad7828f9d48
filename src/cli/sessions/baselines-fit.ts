import { encodeFittedBaselines } from '../../api/encode/session-lists.ts';
import { fitSessionBaselines } from '../../operations/session/fit-session-baselines.ts';
import { fittedDocument, fittedTable } from '../../session/documents/baselines.ts';
import type { Command } from '../command.ts';
import { FORMAT_OPTION } from '../format-options.ts';
import { listWith, printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { ask } from './ask.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command: Command = {
  name: 'sessions baselines fit',
  summary: 'Fit baselines to your own history',
  positionals: PATHS,
  options: {
    out: { type: 'string', value: 'FILE', doc: 'Write the set here, for --baselines' },
    format: FORMAT_OPTION,
    ...SCORING_OPTIONS,
  },
  examples: ['assay sessions baselines fit --out baselines.json'],
  run: async (args, terminal) => {
    const out = textOf(args, 'out');
    const fitted = await ask(args, terminal, (request, ports) =>
      fitSessionBaselines({ ...request, ...(out !== undefined && { out }) }, ports),
    );
    await printResult(args, terminal, {
      ...listWith(encodeFittedBaselines(fitted), 'figures', fittedTable(fitted)),
      document: () => fittedDocument(fitted, sessionsGiven(args, command.options)),
    });
    return fitted.figures.some((figure) => figure.fitted) ? 0 : 2;
  },
};
