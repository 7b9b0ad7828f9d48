/** A session in one short line, for the edge of a screen. */
import { basename } from 'node:path';
import type { SessionLiveEvent } from '../../operations/session/session-event.ts';
import { formatScore, formatUsd } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { ScoredSession } from '../score-session.ts';
import type { Verified } from '../verified.ts';
import { sayVerified } from './wording.ts';

const MOST_WORDS = 60;

type StatusLine = {
  readonly session?: ScoredSession | undefined;
  /** What took most of the score away. */
  readonly headline?: string | undefined;
  /** What the agent itself says it cost. */
  readonly costUsd?: number | undefined;
};

export function statusLine({ session, headline = '', costUsd }: StatusLine): string {
  const q = session?.q === undefined ? 'Q –' : sayQ(session.q, session.tier, session.verified);
  const cost = costUsd ?? session?.costUsd;
  const short = headline.length > MOST_WORDS ? `${headline.slice(0, MOST_WORDS - 1)}…` : headline;
  const parts = [q.trim(), cost === undefined ? '' : formatUsd(cost), short];
  return plain(parts.filter((part) => part !== '').join(' · '));
}

function sayQ(q: number, tier: string | undefined, verified: Verified | undefined): string {
  return `Q ${formatScore(q)} ${tier}, ${sayVerified(verified)}`;
}

/** One line about a session that is followed. */
const MARKS = { 'session.started': '+', 'session.updated': '·', 'session.scored': '■' } as const;
const ID_CHARS = 12;

/** `14:03:22 ■ my-project 5f0c2c11 Q 0.82 good, not verified $0.47 claude-sonnet-4-5: two retries (line 12)` */
export function liveLine(event: SessionLiveEvent): string {
  const { type, at, project, source, headline } = event;
  const q = event.q === undefined ? 'Q not measured' : sayQ(event.q, event.tier, event.verified);
  const cost = event.costUsd === undefined ? 'cost not known' : formatUsd(event.costUsd);
  const where = project === undefined ? source : basename(project);
  const words = [
    new Date(at).toTimeString().slice(0, 8),
    MARKS[type],
    where,
    event.sessionId.slice(0, ID_CHARS),
    q,
    cost,
    event.model ?? '',
  ];
  return plain(words.filter((word) => word !== '').join('  ') + (headline === '' ? '' : `  ${headline}`));
}
