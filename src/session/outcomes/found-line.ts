/** Lines of a session as they are found again in the history. */
import type { Commit, History, LineEvent } from './history.ts';

/** Clocks differ a little between who writes and who commits. */
export const SLACK_MS = 2 * 60_000;

/** Lines that are committed later than this after they were written may be somebody else's. */
export const COMMITTED_WITHIN_MS = 30 * 86_400_000;

/** Of a file that the repository has never had. */
export const NO_FILE = -1;

/** A line of the session, and the first commit after it that did the same. */
export type FoundLine = {
  readonly kind: 'wrote' | 'removed' | 'left';
  readonly file: number;
  readonly hash: number;
  /** When its file was written first and last. */
  readonly since: number;
  readonly until: number;
  readonly commit: Commit | undefined;
};

/** What happened to a line on the default branch after it was written. */
export function mainEvents({ file, hash, since }: FoundLine, history: History): readonly LineEvent[] {
  const events = history.mainLines.get(file)?.get(hash) ?? [];
  return events.filter(({ commit }) => commit.at >= since - SLACK_MS);
}
