import { CONFIG_OPTION, type Options, STORE_OPTION } from '../command.ts';
import { PROMPTS_OPTION } from '../decomposition/prompt-options.ts';

/** Where the plan of an experiment and its requests are. */
export const EXPERIMENT_OPTIONS = {
  prompts: PROMPTS_OPTION,
  ...STORE_OPTION,
  ...CONFIG_OPTION,
} satisfies Options;
