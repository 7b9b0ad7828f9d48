import { AssayError } from '../../errors.ts';
import type { StartExperimentRequest } from '../../operations/production/start-experiment.ts';
import type { Arguments, Terminal } from '../command.ts';
import { promptsToWrite } from '../decomposition/prompt-options.ts';
import { textOf } from '../text-of.ts';
import { numberOption } from './number-option.ts';

type NumberOption = {
  readonly option: string;
  readonly allowed: string;
  readonly allows: (value: number) => boolean;
};

const between = (option: string, least: number, most: number): NumberOption => ({
  option,
  allowed: `from ${least} to ${most}`,
  allows: (value) => value >= least && value <= most,
});
const atLeastNone = (option: string): NumberOption => ({
  option,
  allowed: 'of at least 0',
  allows: (value) => value >= 0,
});

/** What a plan takes, by the names that the options have here. */
const CHOICES: Readonly<Record<string, NumberOption>> = {
  share: between('share', 0.05, 0.95),
  confidence: between('confidence', 0.8, 0.999),
  smallestEffect: {
    option: 'smallest-effect',
    allowed: 'above 0 and at most 1',
    allows: (value) => value > 0 && value <= 1,
  },
};

const LIMITS: Readonly<Record<string, NumberOption>> = {
  errors: between('max-errors', 0, 1),
  latencyMs: atLeastNone('max-latency-ms'),
  costUsd: atLeastNone('max-cost-usd'),
};

/** The options of `production ab start` as the operation asks for them. */
export function startRequest(args: Arguments, terminal: Terminal): StartExperimentRequest {
  const [control, id] = [textOf(args, 'control'), textOf(args, 'id')];
  return {
    prompts: promptsToWrite(args, terminal),
    candidate: args.positionals[0],
    control,
    id,
    primary: textOf(args, 'primary') as NonNullable<StartExperimentRequest['primary']>,
    ...numbersIn(args, CHOICES),
    guards: numbersIn(args, LIMITS),
  };
}

function numbersIn(args: Arguments, options: Readonly<Record<string, NumberOption>>) {
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, { option, allowed, allows }]) => {
      const value = numberOption(args, option);
      if (value === undefined) return [];
      if (allows(value)) return [[key, value] as const];
      throw new AssayError('USAGE', `--${option} is a number ${allowed}, not ${textOf(args, option)}`);
    }),
  );
}
