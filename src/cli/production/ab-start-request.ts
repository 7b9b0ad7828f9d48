import type { z } from 'zod';
import { planSchema } from '../../decomposition/production/experiment/plan.ts';
import { AssayError } from '../../errors.ts';
import type { StartExperimentRequest } from '../../operations/production/start-experiment.ts';
import type { Arguments, Terminal } from '../command.ts';
import { promptsToWrite } from '../decomposition/prompt-options.ts';
import { textOf } from '../text-of.ts';
import { numberOption } from './number-option.ts';

type NumberOption = { readonly option: string; readonly allowed: string; readonly schema: z.ZodNumber };

const { share, confidence, smallestEffect, guards } = planSchema.shape;

const CHOICES: Readonly<Record<string, NumberOption>> = {
  share: { option: 'share', allowed: 'from 0.05 to 0.95', schema: share },
  confidence: { option: 'confidence', allowed: 'from 0.8 to 0.999', schema: confidence },
  smallestEffect: { option: 'smallest-effect', allowed: 'above 0 and at most 1', schema: smallestEffect },
};

const LIMITS: Readonly<Record<string, NumberOption>> = {
  errors: { option: 'max-errors', allowed: 'from 0 to 1', schema: guards.shape.errors },
  latencyMs: { option: 'max-latency-ms', allowed: 'of at least 0', schema: guards.shape.latencyMs },
  costUsd: { option: 'max-cost-usd', allowed: 'of at least 0', schema: guards.shape.costUsd },
};

/** The options of `production ab start` as the operation asks for them. */
export function startRequest(args: Arguments, terminal: Terminal): StartExperimentRequest {
  const [control, id] = [textOf(args, 'control'), textOf(args, 'id')];
  return {
    prompts: promptsToWrite(args, terminal),
    candidate: args.positionals[0],
    ...(control !== undefined && { control }),
    ...(id !== undefined && { id }),
    primary: textOf(args, 'primary') as NonNullable<StartExperimentRequest['primary']>,
    ...numbersIn(args, CHOICES),
    guards: numbersIn(args, LIMITS),
  };
}

function numbersIn(args: Arguments, options: Readonly<Record<string, NumberOption>>) {
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, { option, allowed, schema }]) => {
      const value = numberOption(args, option);
      if (value === undefined) return [];
      if (schema.safeParse(value).success) return [[key, value] as const];
      throw new AssayError('USAGE', `--${option} is a number ${allowed}, not ${textOf(args, option)}`);
    }),
  );
}
