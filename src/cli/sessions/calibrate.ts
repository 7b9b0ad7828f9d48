import { encode } from '../../api/wire.ts';
import { calibrateWeights } from '../../operations/session/calibrate-weights.ts';
import { calibrationView } from '../../session/views/calibration.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { LABELS_OPTIONS, labelFile } from './label-file.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions calibrate',
  summary: 'Fit weights to ratings or outcomes, and test them on held-out sessions',
  positionals: PATHS,
  options: {
    ...LABELS_OPTIONS,
    out: { type: 'path', value: 'FILE', doc: 'Write the weights here, for --weights' },
    name: { type: 'text', value: 'NAME', default: 'calibrated', doc: 'Name of the new weights' },
    signals: { type: 'flag', doc: 'Also fit the weights of the signals within their categories' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
  },
  examples: ['assay sessions calibrate --ratings ratings.csv --out weights.json'],
  run: async (args, terminal) => {
    const labels = labelFile(args, 'sessions calibrate');
    const { name, signals, out } = args.values;
    const choices = { labels, name, signals, out };
    const result = await ask(args, terminal, (request, ports) =>
      calibrateWeights({ ...request, ...choices }, ports),
    );
    await printResult(args, terminal, {
      json: async () => encode((await import('../../api/schema/calibration.ts')).calibration, result),
      document: () => calibrationView(result, sessionsGiven(args)),
    });
    return result.calibration.verdict.verdict === 'too few to tell' ? 2 : 0;
  },
});
