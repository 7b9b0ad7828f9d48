/** How long lines stay on the default branch. */

import { type FoundLine, mainEvents } from './found-line.ts';
import type { History, LineEvent } from './history.ts';
import { SURVIVAL_DAYS, type Survival, type SurvivalDays, type WorkOutcome } from './work-outcome.ts';

const DAY_MS = 86_400_000;

type Landed = { readonly at: number; readonly events: readonly LineEvent[] };

function landed(lines: readonly FoundLine[], history: History): Landed[] {
  return lines.flatMap((line) => {
    const events = mainEvents(line, history);
    const first = events.findIndex(({ came }) => came);
    return first < 0 ? [] : [{ at: (events[first] as LineEvent).commit.at, events: events.slice(first) }];
  });
}

/** It came as often as it went, and once more. */
function isThere({ events }: Landed, at: number): boolean {
  let there = 0;
  for (const { commit, came } of events) {
    if (commit.at > at) break;
    there = Math.max(0, there + (came ? 1 : -1));
  }
  return there > 0;
}

export function shareLeft(
  lines: readonly FoundLine[],
  history: History,
  oneIn: number,
): { readonly linesOnDefault: number; readonly linesSurviving: number } {
  const own = landed(lines, history);
  const left = own.filter((line) => isThere(line, Number.POSITIVE_INFINITY)).length;
  return { linesOnDefault: own.length * oneIn, linesSurviving: left * oneIn };
}

export function survivalOf(
  lines: readonly FoundLine[],
  history: History,
  onDefault: boolean,
): WorkOutcome['survival'] {
  const own = landed(lines, history);
  const last = own.reduce((most, { at }) => Math.max(most, at), 0);
  const after = (days: SurvivalDays): Survival => {
    if (own.length === 0)
      return { reason: onDefault ? 'it left no line of its own' : 'its lines are not on the default branch' };
    const from = last + days * DAY_MS;
    if (history.untilOnDefault < from)
      return { reason: 'the history of the default branch ends before', from };
    return { share: own.filter((line) => isThere(line, line.at + days * DAY_MS)).length / own.length };
  };
  const [one, seven, thirty] = SURVIVAL_DAYS.map(after);
  return { 1: one as Survival, 7: seven as Survival, 30: thirty as Survival };
}
