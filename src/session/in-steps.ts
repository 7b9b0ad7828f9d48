/** Long work in steps, between which others may have their turn. */
import { takeTurns } from './stop-if-aborted.ts';

export type Steps<Result> = Generator<void, Result, void>;

export async function inTurns<Result>(
  steps: Steps<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await takeTurns(signal);
  }
}
