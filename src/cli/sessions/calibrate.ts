import { encodeCalibration } from '../../api/encode/calibration.ts';
import { calibrateWeights } from '../../operations/session/calibrate-weights.ts';
import { calibrationDocument } from '../../session/documents/calibration.ts';
import type { Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { ask } from './ask.ts';
import { LABELS_OPTION, labelFile } from './label-file.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command: Command = {
  name: 'sessions calibrate',
  summary: 'Fit weights to ratings or outcomes, and say what they gain on sessions they have not seen',
  positionals: PATHS,
  options: {
    ratings: { type: 'string', value: 'FILE', doc: 'CSV or JSONL with session_id,rating (1 to 5)' },
    ...LABELS_OPTION,
    out: { type: 'string', value: 'FILE', doc: 'Write the weights here, for --weights' },
    name: { type: 'string', value: 'NAME', default: 'calibrated', doc: 'Name of the new weights' },
    signals: { type: 'boolean', doc: 'Also fit the weights of the signals within their categories' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
  },
  examples: ['assay sessions calibrate --ratings ratings.csv --out weights.json'],
  run: async (args, terminal) => {
    const labels = labelFile(args, command.name);
    const out = textOf(args, 'out');
    const choices = {
      labels,
      name: textOf(args, 'name') ?? 'calibrated',
      signals: args.values.signals === true,
      out,
    };
    const result = await ask(args, terminal, (request, ports) =>
      calibrateWeights({ ...request, ...choices }, ports),
    );
    await printResult(args, terminal, {
      json: () => encodeCalibration(result),
      document: () => calibrationDocument(result, sessionsGiven(args, command.options)),
    });
    return result.calibration.verdict.verdict === 'too few to tell' ? 2 : 0;
  },
};
