/** A session in one short line, for the edge of a screen. */
import { formatScore, formatUsd } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { ScoredSession } from '../score-session.ts';

const MOST_WORDS = 60;

export type StatusLine = {
  readonly session?: ScoredSession | undefined;
  /** What took most of the score away. */
  readonly why?: string | undefined;
  /** What the agent itself says it cost. */
  readonly costUsd?: number | undefined;
};

export function statusLine({ session, why = '', costUsd }: StatusLine): string {
  const q = session?.q === undefined ? 'Q –' : `Q ${formatScore(session.q)} ${session.tier ?? ''}`;
  const cost = costUsd ?? session?.costUsd;
  const words = why === 'nothing stands out' ? '' : why;
  const short = words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS - 1)}…` : words;
  const parts = [q.trim(), cost === undefined ? '' : formatUsd(cost), short];
  return plain(parts.filter((part) => part !== '').join(' · '));
}
