import { AssayError } from '../../errors.ts';
import type { Arguments } from '../command.ts';
import { numberOption } from './number-option.ts';

export const PACE_OPTION = {
  type: 'string',
  value: 'SECONDS',
  default: '1',
  doc: 'With production: how long a minute of it takes',
} as const;

const [FASTEST, SLOWEST] = [0.1, 60];

/** Seconds. */
export function paceOf(args: Arguments): number {
  const pace = numberOption(args, 'pace') ?? 1;
  if (pace >= FASTEST && pace <= SLOWEST) return pace;
  throw new AssayError('USAGE', `--pace is from ${FASTEST} to ${SLOWEST} seconds, not ${pace}`);
}
