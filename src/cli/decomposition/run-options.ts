import { CHOICES, DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import { CONFIG_OPTION, KEEPING_OPTIONS, type Option, type Options } from '../command.ts';
import { ALL_OPTION, RUN_FORMAT_OPTION } from '../format-options.ts';
import { EXTRACTOR_OPTIONS } from './extractor-options.ts';
import { STANDARD_OPTIONS } from './standard-options.ts';

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
  outputs: {
    type: 'string',
    value: 'PATH',
    doc: 'Recorded outputs: a folder with <case>.json, a JSONL or a results file',
  },
  map: {
    type: 'string',
    value: 'KEY=PATH,…',
    list: true,
    doc: 'How to read outputs of another shape, e.g. concepts=entities[].name',
  },
  repeat: { type: 'string', value: 'N', default: '1', doc: 'Extract each text so often' },
  'match-level': { type: 'string', choices: CHOICES.matchLevels, doc: 'The loosest match that counts' },
  'no-semantic': { type: 'boolean', doc: 'Do not measure what semantic matching would add' },
  ...extractorOptions(),
};

export const HISTORY_OPTION: Options = {
  history: { type: 'string', value: 'FILE', doc: `Where runs are listed (default ${DEFAULT_FILES.history})` },
};

/** What every command that runs the golden cases takes. */
export const RUN_OPTIONS: Options = {
  format: RUN_FORMAT_OPTION,
  all: ALL_OPTION,
  ...SOURCE_OPTIONS,
  ...STANDARD_OPTIONS,
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
