import { encodeValidation } from '../../api/encode/validation.ts';
import { AssayError } from '../../errors.ts';
import { validateScores } from '../../operations/session/validate-scores.ts';
import { validationDocument } from '../../session/documents/validation.ts';
import type { Validation } from '../../session/results.ts';
import type { Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { ask } from './ask.ts';
import { LABELS_OPTION, labelFile } from './label-file.ts';
import { PATHS, SCORING_OPTIONS } from './options.ts';
import { sessionsGiven } from './session-request.ts';
import { shareOption } from './share-option.ts';

export const command: Command = {
  name: 'sessions validate',
  summary: 'Hold Q against ratings or outcomes',
  positionals: PATHS,
  options: {
    ratings: { type: 'string', value: 'FILE', doc: 'CSV or JSONL with session_id,rating (1 to 5)' },
    ...LABELS_OPTION,
    precision: { type: 'string', value: 'WIDTH', doc: 'How near r should be known, to either side [0.1]' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
  },
  examples: [
    'assay sessions validate --ratings ratings.csv',
    'assay sessions validate runs/ --outcomes outcomes.csv',
    'assay sessions validate jobs/ --labels jobs/',
  ],
  run: async (args, terminal) => {
    const labels = labelFile(args, command.name);
    const precision = shareOption(args, 'precision');
    if (precision === 0)
      throw new AssayError('USAGE', '--precision is above 0: no number of ratings is exact');
    const result = await ask(args, terminal, (request, ports) =>
      validateScores({ ...request, labels, precision }, ports),
    );
    await printResult(args, terminal, {
      json: () => encodeValidation(result),
      document: () => validationDocument(result, sessionsGiven(args, command.options)),
    });
    return isConclusive(result) ? 0 : 2;
  },
};

function isConclusive(result: Validation): boolean {
  return result.against === 'ratings'
    ? result.validation.verdict.verdict !== 'too few to tell'
    : result.validation.auc.measured;
}
