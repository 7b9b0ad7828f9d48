/** What can be said of an experiment at any time. */
export const EXPERIMENT_VERDICTS = [
  'not to be trusted',
  'guard rail crossed',
  'candidate better',
  'candidate worse',
  'no difference that matters',
  'too early to tell',
] as const;

export type ExperimentVerdict = (typeof EXPERIMENT_VERDICTS)[number];
