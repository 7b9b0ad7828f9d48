import { encode } from '../../api/wire.ts';
import { fitSessionBaselines } from '../../operations/session/session-baselines.ts';
import { fittedTable, fittedView } from '../../session/views/baselines.ts';
import { defineCommand, FORMAT_OPTION } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions baselines fit',
  summary: 'Fit baselines to your own history',
  positionals: PATHS,
  options: {
    out: { type: 'path', value: 'FILE', doc: 'Write the set here, for --baselines' },
    format: FORMAT_OPTION,
    ...SCORING_OPTIONS,
  },
  examples: ['assay sessions baselines fit --out baselines.json'],
  run: async (args, terminal) => {
    const out = args.values.out;
    const fitted = await ask(args, terminal, (request, ports) =>
      fitSessionBaselines({ ...request, ...(out !== undefined && { out }) }, ports),
    );
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/session-lists.ts')).sessionBaselineFit, fitted),
        'figures',
        fittedTable(fitted),
      ),
      document: () => fittedView(fitted, sessionsGiven(args)),
    });
    return fitted.figures.some((figure) => figure.fitted) ? 0 : 2;
  },
});
