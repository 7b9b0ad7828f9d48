import { encode } from '../../api/wire.ts';
import { type Validation, validateScores } from '../../operations/session/validate-scores.ts';
import { validationView } from '../../session/views/calibration.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { LABELS_OPTIONS, labelFile } from './label-file.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';

export const command = defineCommand({
  name: 'sessions validate',
  summary: 'Validate Q against ratings or outcomes',
  positionals: PATHS,
  options: {
    ...LABELS_OPTIONS,
    precision: {
      type: 'number',
      above: 0,
      max: 1,
      value: 'WIDTH',
      doc: 'Target half-width of the interval of r [0.1]',
    },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
  },
  examples: [
    'assay sessions validate --ratings ratings.csv',
    'assay sessions validate runs/ --outcomes outcomes.csv',
    'assay sessions validate jobs/ --labels jobs/',
  ],
  run: async (args, terminal) => {
    const labels = labelFile(args, 'sessions validate');
    const { precision } = args.values;
    const result = await ask(args, terminal, (request, ports) =>
      validateScores({ ...request, labels, precision }, ports),
    );
    await printResult(args, terminal, {
      json: async () => encode((await import('../../api/schema/validation.ts')).validation, result),
      document: () => validationView(result, sessionsGiven(args)),
    });
    return isConclusive(result) ? 0 : 2;
  },
});

function isConclusive(result: Validation): boolean {
  return result.against === 'ratings' ? result.verdict.verdict !== 'too few to tell' : result.auc.measured;
}
