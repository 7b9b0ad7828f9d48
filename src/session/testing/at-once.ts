import type { Steps } from '../stop-if-aborted.ts';

/** Where nobody else is waiting. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
