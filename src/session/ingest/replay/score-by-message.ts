/** How a session's score came about, message by message: the transcript is folded again and scored after each one. */
import type { Event } from '../../event.ts';
import type { SessionFacts } from '../../evidence.ts';
import { type FoldState, finish, startFold, step } from '../../fold/fold.ts';
import type { OpenInput } from '../files/open-input.ts';
import { replayEvents } from './replay-events.ts';

export type Moment = {
  readonly line: number;
  /** The kind of message: from the user, from the agent, or the result of a tool. */
  readonly what: 'user' | 'reply' | 'result';
  /** The score had the session ended here. */
  readonly q: number;
};

type Track = { readonly fold: FoldState; readonly moments: Moment[] };

/** Scoring after every message costs more than scoring once; this many are enough to see where it went wrong. */
const MAX_MOMENTS = 5000;

export async function scoreByMessage(
  path: string,
  sessionId: string,
  score: (facts: SessionFacts) => number | undefined,
  open?: OpenInput,
): Promise<Moment[]> {
  const track = await replayEvents<Track>(
    path,
    sessionId,
    (source) => ({ fold: startFold(source), moments: [] }),
    (one, event) => follow(one, event, score),
    open,
  );
  return track?.moments ?? [];
}

function follow(track: Track, event: Event, score: (facts: SessionFacts) => number | undefined): void {
  step(track.fold, event);
  if (event.kind !== 'user' && event.kind !== 'reply' && event.kind !== 'result') return;
  if (track.moments.length >= MAX_MOMENTS) return;
  const facts = finish(track.fold, 'so far');
  const q = facts === undefined ? undefined : score(facts);
  if (q !== undefined) track.moments.push({ line: event.line, what: event.kind, q });
}
