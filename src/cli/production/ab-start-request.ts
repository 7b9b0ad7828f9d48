import type { StartExperimentRequest } from '../../operations/production/start-experiment.ts';
import type { Arguments, Terminal } from '../command.ts';
import { promptsToWrite } from '../decomposition/prompt-options.ts';
import { textOf } from '../text-of.ts';
import { numberOption } from './number-option.ts';

/** The options of `production ab start` as the operation asks for them. */
export function startRequest(args: Arguments, terminal: Terminal): StartExperimentRequest {
  const [control, id] = [textOf(args, 'control'), textOf(args, 'id')];
  const named = { share: 'share', confidence: 'confidence', smallestEffect: 'smallest-effect' };
  const limits = { errors: 'max-errors', latencyMs: 'max-latency-ms', costUsd: 'max-cost-usd' };
  const numbers = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(names).flatMap(([key, option]) => {
        const value = numberOption(args, option);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  return {
    prompts: promptsToWrite(args, terminal),
    candidate: args.positionals[0],
    ...(control !== undefined && { control }),
    ...(id !== undefined && { id }),
    primary: textOf(args, 'primary') as NonNullable<StartExperimentRequest['primary']>,
    ...numbers(named),
    guards: numbers(limits),
  };
}
