/** The outcome of a session's work. Times are milliseconds since 1970, UTC. */
import type { AgentRunFacts, SessionFacts } from '../evidence.ts';

export const WORK_STATES = [
  /** Its lines reached the default branch. */
  'on-default',
  /** Committed, but not on the default branch. */
  'committed',
  /** The project continued for a week without them. */
  'not-committed',
  /** Not committed yet, and too early to judge. */
  'too-young',
  /** It wrote no line that could be committed. */
  'nothing-written',
  /** The repository could not be read; the reason says why. */
  'unknown',
] as const;
export type OutcomeState = (typeof WORK_STATES)[number];

/** The evidence that a commit contains the work of a session, strongest first. */
export type CommitEvidence = 'git-ai note' | 'commit trailer' | "git's own output" | 'written lines';

/** The share of its lines on the default branch that were still there after this many days. */
export type Survival =
  | { readonly share: number }
  | { readonly reason: string /** The day from which it can be told. */; readonly from?: number };

export const SURVIVAL_DAYS = [1, 7, 30] as const;
export type SurvivalDays = (typeof SURVIVAL_DAYS)[number];

export type WorkOutcome = {
  readonly sessionId: string;
  readonly state: OutcomeState;
  /** Why nothing is known, or what is still missing. */
  readonly reason?: string;
  /** The day from which more is measurable. */
  readonly from?: number;
  readonly repository?: string;
  readonly defaultBranch?: string;
  /** The basis of the outcome: the head of the default branch, and the time of the last commit. */
  readonly head?: string;
  readonly knownUntil?: number;
  /** New, distinctive lines; estimated when there are very many. */
  readonly linesWritten?: number;
  readonly linesCommitted?: number;
  readonly linesOnDefault?: number;
  readonly linesSurviving?: number;
  /**
   * The shares of its written lines that were committed, and that reached the default branch. Absent: no line evidence.
   */
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

/** The evidence for its commits, strongest first. */
export function evidenceOf({ commits }: WorkOutcome): CommitEvidence[] {
  return EVIDENCE.filter((kind) => commits.some(({ by }) => by === kind));
}

/** The next day on which more is measurable. */
export function measurableFrom({ from, survival }: WorkOutcome): number | undefined {
  if (from !== undefined) return from;
  const days = SURVIVAL_DAYS.map((one) => survival[one]);
  return days.flatMap((one) => ('from' in one && one.from !== undefined ? [one.from] : []))[0];
}

/** The part of a session's facts that is compared with a repository. */
export type FactsOfWork = Pick<SessionFacts, 'sessionId' | 'written'> & {
  readonly runs: readonly Pick<AgentRunFacts, 'startedAt'>[];
  readonly endedAt?: number | undefined;
  /** It discarded everything that it had written. */
  readonly discarded?: boolean;
};

/** Only the start and end times of its runs are needed. */
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

/** Work of a later run is still there. */
function hasDiscarded(runs: SessionFacts['runs']): boolean {
  return runs.findLast(({ work }) => work !== undefined)?.discarded !== undefined;
}

/** Each line is a 48-bit hash: 8 characters of base64 (`packHashes`). */
const PACKED_CHARS = 8;

/** The outcome from the transcript alone, whatever the repository contained before. */
export function linesFromTranscript({
  written,
}: Pick<SessionFacts, 'written'>): Pick<WorkOutcome, 'linesWritten'> {
  if (written === undefined) return {};
  const kept = written.files.reduce((sum, { wrote }) => sum + wrote.length / PACKED_CHARS, 0);
  return { linesWritten: kept * written.oneIn };
}

// Repositories that should have shown the outcome of the work but could not be read. A missing folder is not a problem.

/** Prefixes of the reasons of `findRepository` and `judgeWork` that the user can fix. */
const TROUBLE = /^the (?:repository could not be read|named repository)/;

/** Sessions with an existing or named repository that could not be read, and the most frequent reason. */
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
