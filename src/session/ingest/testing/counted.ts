import type { SessionFacts } from '../../evidence.ts';

/** Output tokens of all runs: in tests each record has its own power of two, so the sum identifies the records. */
export function counted(sessions: readonly SessionFacts[]): number {
  return sessions
    .flatMap(({ runs }) => runs)
    .flatMap(({ models }) => models)
    .reduce((sum, { usage }) => sum + usage.output, 0);
}
