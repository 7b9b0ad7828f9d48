import { CHOICES, DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import { CONFIG_OPTION, KEEPING_OPTIONS, type Option, type Options } from '../command.ts';
import { ALL_OPTION, RUN_FORMAT_OPTION } from '../format-options.ts';
import { EXTRACTOR_OPTIONS } from './extractor-options.ts';

const GOLDEN_OPTION: Option = {
  type: 'string',
  value: 'DIR',
  default: 'golden',
  doc: 'The golden cases',
};

/** Without a default: whether one was named decides where outputs come from. */
function extractorOptions(): Options {
  const { extractor, ...rest } = EXTRACTOR_OPTIONS;
  return {
    extractor: {
      type: 'string',
      choices: extractor?.choices ?? [],
      doc: 'What extracts (default local; llm with --prompt)',
    },
    ...rest,
    prompt: { type: 'string', value: 'NAME', doc: 'The prompt to measure, or that outputs were made with' },
  };
}

/** Where the outputs come from. */
export const SOURCE_OPTIONS: Options = {
  golden: GOLDEN_OPTION,
  outputs: { type: 'string', value: 'DIR', doc: 'Recorded outputs, <case>.json or <case>.<n>.json' },
  repeat: { type: 'string', value: 'N', default: '1', doc: 'Extract each text so often' },
  'match-level': { type: 'string', choices: CHOICES.matchLevels, doc: 'The loosest match that counts' },
  'no-semantic': { type: 'boolean', doc: 'Do not measure what semantic matching would add' },
  ...extractorOptions(),
};

/** How a comparison is judged. */
export const COMPARE_OPTIONS: Options = {
  approve: {
    type: 'string',
    value: 'REASON',
    doc: 'Let a regression of the overall score through; who, when and why are kept',
  },
  reason: {
    type: 'string',
    value: 'WHY',
    doc: 'Why metrics fell by one to five points; kept like an approval',
  },
  insist: { type: 'boolean', doc: 'Compare although golden cases or scorer differ' },
};

export const HISTORY_OPTION: Options = {
  history: { type: 'string', value: 'FILE', doc: `Where runs are listed (default ${DEFAULT_FILES.history})` },
};

/** What every command that runs the golden cases takes. */
export const RUN_OPTIONS: Options = {
  format: RUN_FORMAT_OPTION,
  all: ALL_OPTION,
  ...SOURCE_OPTIONS,
  ...HISTORY_OPTION,
  'no-history': { type: 'boolean', doc: 'Do not list this run' },
  ...KEEPING_OPTIONS,
  ...CONFIG_OPTION,
};

export const BASELINE_OPTION: Option = {
  type: 'string',
  value: 'FILE',
  doc: `The baseline (default ${DEFAULT_FILES.baseline})`,
};
