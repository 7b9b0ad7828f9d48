/** Finds the lines of a session in the history. */
import type { FileWork } from '../evidence.ts';
import { unpackHashes } from '../fold/line-fingerprints.ts';
import type { Commit, History, LineEvent } from './history.ts';
import {
  type FactsOfWork,
  SURVIVAL_DAYS,
  type Survival,
  type SurvivalDays,
  type WorkOutcome,
} from './work-outcome.ts';

/** Clocks of the writer and the committer differ a little. */
export const SLACK_MS = 2 * 60_000;

/** Lines committed later than this after they were written may be someone else's. */
export const COMMITTED_WITHIN_MS = 30 * 86_400_000;

/** For a file that the repository has never had. */
export const NO_FILE = -1;

/** A line of the session, and the first later commit with the same change. */
export type FoundLine = {
  readonly kind: 'wrote' | 'removed' | 'left';
  readonly file: number;
  readonly hash: number;
  /** When its file was first and last written. */
  readonly since: number;
  readonly until: number;
  readonly commit: Commit | undefined;
};

/** What happened to a line on the default branch after it was written. */
export function mainEvents({ file, hash, since }: FoundLine, history: History): readonly LineEvent[] {
  const events = history.mainLines.get(file)?.get(hash) ?? [];
  return events.filter(({ commit }) => commit.at >= since - SLACK_MS);
}

// The lines of a session, each with the first later commit with the same change.

export function findLines(facts: FactsOfWork, history: History): FoundLine[] {
  return (facts.written?.files ?? []).flatMap((file) => {
    const id = history.fileOf(file.ends);
    const since = file.firstAt ?? startOf(facts);
    if (since === undefined) return [];
    const when = { since, until: file.lastAt ?? since };
    if (id === undefined) return file.inside && !history.isIgnored(file.ends) ? unknownLines(file, when) : [];
    return (['wrote', 'removed', 'left'] as const).flatMap((kind) =>
      unpackHashes(file[kind]).flatMap((hash) => foundLine({ kind, file: id, hash, ...when }, history)),
    );
  });
}

export function startOf({ runs }: FactsOfWork): number | undefined {
  return runs.find(({ startedAt }) => startedAt !== undefined)?.startedAt;
}

/** Lines of a file that the repository has never had. */
function unknownLines({ wrote }: FileWork, when: Pick<FoundLine, 'since' | 'until'>): FoundLine[] {
  return unpackHashes(wrote).map((hash) => ({
    kind: 'wrote',
    file: NO_FILE,
    hash,
    ...when,
    commit: undefined,
  }));
}

type LookedFor = Omit<FoundLine, 'commit'>;

function foundLine(line: LookedFor, history: History): FoundLine[] {
  const { kind, file, hash, since, until } = line;
  const events = history.lines.get(file)?.get(hash) ?? [];
  const comes = kind !== 'removed';
  const before = events.findLast(({ commit }) => commit.at < since - SLACK_MS);
  const wasThere = before === undefined ? (history.base.get(file)?.has(hash) ?? false) : before.came;
  // A line that existed before is not the session's work, whoever writes it again.
  if (comes && wasThere) return [];
  const first = events.find(
    ({ commit, came }) =>
      came === comes && commit.at >= since - SLACK_MS && commit.at <= until + COMMITTED_WITHIN_MS,
  );
  return [{ ...line, commit: first?.commit }];
}

// How long lines survive on the default branch.

const DAY_MS = 86_400_000;

type Landed = { readonly at: number; readonly events: readonly LineEvent[] };

function landed(lines: readonly FoundLine[], history: History): Landed[] {
  return lines.flatMap((line) => {
    const events = mainEvents(line, history);
    const first = events.findIndex(({ came }) => came);
    return first < 0 ? [] : [{ at: (events[first] as LineEvent).commit.at, events: events.slice(first) }];
  });
}

/** It was added more often than it was removed. */
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
