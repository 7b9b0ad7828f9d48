/** What became of the work of a session. Times are milliseconds since 1970, UTC. */
import type { AgentRunFacts, SessionFacts } from '../evidence.ts';

export const WORK_STATES = [
  /** Its lines came into the default branch. */
  'on-default',
  /** Committed, but not on the default branch. */
  'committed',
  /** The project went on for a week without them. */
  'not-committed',
  /** Not committed yet, and too early to say more. */
  'too-young',
  /** It wrote no line that could be committed. */
  'nothing-written',
  /** The repository could not be asked; the reason says why. */
  'unknown',
] as const;
export type OutcomeState = (typeof WORK_STATES)[number];

/** What says that a commit holds the work of a session, the strongest first. */
export type CommitEvidence = 'git-ai note' | 'commit trailer' | "git's own output" | 'written lines';

/** The share of its lines on the default branch that were still there so many days after they came. */
export type Survival =
  | { readonly share: number }
  | { readonly reason: string /** The day from which it can be told. */; readonly from?: number };

export const SURVIVAL_DAYS = [1, 7, 30] as const;
export type SurvivalDays = (typeof SURVIVAL_DAYS)[number];

export type WorkOutcome = {
  readonly sessionId: string;
  readonly state: OutcomeState;
  /** Why nothing is known, or what is still to come. */
  readonly reason?: string;
  /** The day from which more can be told. */
  readonly from?: number;
  readonly repository?: string;
  readonly defaultBranch?: string;
  /** What it was judged on: the commit that the default branch stood at, and the time of the last commit. */
  readonly head?: string;
  readonly knownUntil?: number;
  /** Lines that say something and were not there before; estimated where there were very many. */
  readonly linesWritten?: number;
  readonly linesCommitted?: number;
  readonly linesOnDefault?: number;
  readonly linesSurviving?: number;
  /** Of the lines that it wrote: the share that was committed, and that came to the default branch. Absent: no line tells. */
  readonly shares?: { readonly committed: number; readonly onDefault: number };
  readonly survival: Readonly<Record<SurvivalDays, Survival>>;
  readonly commits: readonly { readonly sha: string; readonly by: CommitEvidence }[];
  readonly reverted: boolean;
};

const EVIDENCE: readonly CommitEvidence[] = [
  'git-ai note',
  'commit trailer',
  "git's own output",
  'written lines',
];

/** What says that its commits hold its work, the strongest first. */
export function evidenceOf({ commits }: WorkOutcome): CommitEvidence[] {
  return EVIDENCE.filter((kind) => commits.some(({ by }) => by === kind));
}

/** The next day on which more can be told. */
export function measurableFrom({ from, survival }: WorkOutcome): number | undefined {
  if (from !== undefined) return from;
  const days = SURVIVAL_DAYS.map((one) => survival[one]);
  return days.flatMap((one) => ('from' in one && one.from !== undefined ? [one.from] : []))[0];
}

/** What is held against a repository of a session: far less than all that is known of it. */
export type FactsOfWork = Pick<SessionFacts, 'sessionId' | 'written'> & {
  readonly runs: readonly Pick<AgentRunFacts, 'startedAt'>[];
  readonly endedAt?: number | undefined;
  /** It threw away all that it had written. */
  readonly discarded?: boolean;
};

/** Of its runs only when the first and the earliest began, and when the last one ended. */
export function workFactsOf({ sessionId, written, runs }: SessionFacts): FactsOfWork {
  const begun = runs.flatMap(({ startedAt }) => startedAt ?? []);
  const earliest = begun.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const times = [...new Set([...begun.slice(0, 1), ...(begun.length > 0 ? [earliest] : [])])];
  const ends = runs.flatMap(({ endedAt }) => endedAt ?? []);
  return {
    sessionId,
    written,
    runs: times.map((startedAt) => ({ startedAt })),
    ...(ends.length > 0 && { endedAt: ends.reduce((last, at) => Math.max(last, at), 0) }),
    ...(hasDiscarded(runs) && { discarded: true }),
  };
}

/** What a later run wrote is there. */
function hasDiscarded(runs: SessionFacts['runs']): boolean {
  return runs.findLast(({ work }) => work !== undefined)?.discarded !== undefined;
}

/** Each line is a number of 48 bits: 8 characters of base64 (`packHashes`). */
const PACKED_CHARS = 8;

/** What the transcript says by itself, whatever the repository had before. */
export function linesFromTranscript({
  written,
}: Pick<SessionFacts, 'written'>): Pick<WorkOutcome, 'linesWritten'> {
  if (written === undefined) return {};
  const kept = written.files.reduce((sum, { wrote }) => sum + wrote.length / PACKED_CHARS, 0);
  return { linesWritten: kept * written.oneIn };
}

// Repositories that should have said what became of the work, and could not. That a folder is gone is no trouble.

/** How the reasons of `findRepository` and `judgeWork` begin where there is something to mend. */
const TROUBLE = /^the repository (?:could not be read|that was named)/;

/** Sessions whose repository is there or was named, and could not be asked; why, for most of them. */
export type RepositoryTrouble = { readonly sessions: number; readonly reason: string };

export function repositoryTrouble(work: ReadonlyMap<string, WorkOutcome> | undefined): {
  readonly repositoryTrouble?: RepositoryTrouble;
} {
  const reasons = new Map<string, number>();
  for (const { state, reason = '' } of work?.values() ?? []) {
    if (state === 'unknown' && TROUBLE.test(reason)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const [most] = [...reasons].sort((a, b) => b[1] - a[1]);
  if (most === undefined) return {};
  const sessions = [...reasons.values()].reduce((sum, one) => sum + one, 0);
  return { repositoryTrouble: { sessions, reason: most[0] } };
}
