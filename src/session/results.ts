/** What operations on sessions give. Documents word it, the wire encodes it, programs read it as it is. */
import type { Measurement } from '../measure/metric.ts';
import type { WeightCalibration } from './calibration/calibrate.ts';
import type { OutcomeValidation } from './calibration/validate-outcomes.ts';
import type { RatingValidation } from './calibration/validate-ratings.ts';
import type { WeightsDoubt } from './calibration/weights-file.ts';
import type { SessionRecord } from './columns.ts';
import type { Usage } from './event.ts';
import type { FileReading } from './evidence.ts';
import type { SessionSource } from './ingest/files/find-sources.ts';
import type { Declared } from './ingest/formats/format.ts';
import type { Quote } from './ingest/replay/read-quotes.ts';
import type { Moment } from './ingest/replay/score-by-message.ts';
import type { IntentValidation } from './intents/fit-intents.ts';
import type { IntentModel } from './intents/intent-model.ts';
import type { WorkOutcome } from './outcomes/work-outcome.ts';
import type { ComparedFrontier, ModelComparison, TypeFrontier } from './pricing/frontier.ts';
import type { RoiRow } from './pricing/roi.ts';
import type { BaselineSet } from './profiles/baselines.ts';
import type { FittedFigure } from './profiles/fit-baselines.ts';
import type { TaskType } from './profiles/task-type.ts';
import type { RoutePolicy } from './routing/policy.ts';
import type { Replay } from './routing/replay.ts';
import type { ScoredSession } from './score-session.ts';
import type { SessionGroup } from './session-groups.ts';
import type { QualitySummary } from './summary.ts';

/** What every result that rests on transcripts says: what was left out of it, and what speaks against it. */
export type LeftOut = {
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
  /** What a file of people says of these ids was attached to nothing: several sessions have them. */
  readonly unjoined?: readonly Unjoined[];
  /** What speaks against the weights that were chosen. */
  readonly weightsDoubts?: readonly WeightsDoubt[];
};

export type Unjoined = { readonly sessionId: string; readonly sessions: number };

/** Where sessions were looked for. */
export type Looked =
  | { readonly in: 'paths'; readonly paths: readonly string[] }
  | { readonly in: 'places of agents' }
  | { readonly in: 'store'; readonly address: string };

/** The places that are looked through, and what the formats of their files can show. */
export type Sources = {
  readonly sources: readonly SessionSource[];
  readonly formats: readonly FormatHere[];
};

export type FormatHere = Required<Pick<Declared, 'shows' | 'versions' | 'unmeasured'>> & {
  readonly name: string;
  readonly title: string;
  /** How many are in the places of this machine. */
  readonly files: number;
};

/** What became of the work of a session, and which session it is. */
export type SessionOutcome = WorkOutcome & { readonly key: string };

export type Outcomes = LeftOut & {
  readonly outcomes: readonly SessionOutcome[];
  /** How many others were looked at for who wrote a line last, and whether those are all there are. */
  readonly beside?: { readonly sessions: number; readonly all: boolean };
};

/** How many sessions, how good, for how much, and which to look at. */
export type SessionOverview = LeftOut & {
  readonly files: readonly FileReading[];
  readonly looked: Looked;
  readonly elapsedMs: number;
  /** Sessions that were scored and then left out by the filter. */
  readonly filteredOut: number;
  readonly summary: QualitySummary;
  /** Source → sessions, the most first. */
  readonly sources: readonly (readonly [source: string, sessions: number])[];
  readonly worthALook: readonly LowSession[];
  /** How many they are, where only the first of them are given. */
  readonly worthALookInAll?: number;
  /** The first of them, and the newest of all, as lines. */
  readonly worthLines: readonly ListedSession[];
  readonly newest: readonly ListedSession[];
  readonly byTaskType: readonly RoiRow[];
  readonly models: readonly ModelComparison[];
  readonly frontiers: readonly TypeFrontier[];
  /** Where no session was found: files without a transcript, and what they seem to be instead. */
  readonly strangers?: readonly { readonly path: string; readonly looksLike: string }[];
  /** Sessions whose repository is there or was named, and could not be asked; why, for most of them. */
  readonly repositoryTrouble?: { readonly sessions: number; readonly reason: string };
  /** Whose days they are; UTC without it. */
  readonly timezone?: string;
  /** What they were scored with. */
  readonly sets: {
    readonly baselines: string;
    readonly weights: string;
    readonly prices: string;
    /** What of the weights is a person's own, beside what is documented. */
    readonly ownWeights?: readonly string[];
  };
};

/** Lines after `after`, counted on from there, or all lines of some runs, are those of another file. */
export type LinesElsewhere =
  | { readonly path: string; readonly after: number }
  | { readonly path: string; readonly runs: readonly number[] };

export type Explanation = LeftOut & {
  readonly session: ScoredSession;
  readonly file: FileReading;
  /** Other files that it was read from; absent where all of its lines are in one. */
  readonly elsewhere?: readonly LinesElsewhere[];
  /** Each message with what the session would have scored had it ended there; absent when nobody asked. */
  readonly moments?: readonly Moment[];
  /** What the lines say that the score rests on, from the transcript as it is now; absent when nobody asked. */
  readonly quotes?: readonly Quote[];
  /** What of the weights is a person's own, beside what is documented. */
  readonly ownWeights?: readonly string[];
};

export type Flags = LeftOut & {
  readonly below: number;
  readonly flagged: readonly LowSession[];
  /** How many they are in all: only the first may have been asked for. */
  readonly flaggedInAll: number;
  /** How many sessions were looked at, and how many of them have a Q. */
  readonly sessions: number;
  readonly scored: number;
  /** What was not read, or not to its end, and why: low sessions may be in it. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
};

/** What happened in a period, and in the one of the same length before it. */
export type Digest = LeftOut & {
  readonly days: number;
  /** The end of the period, in milliseconds since 1970. */
  readonly until: number;
  readonly current: QualitySummary;
  readonly previous: QualitySummary;
  /** Sessions with a lower Q are flagged. */
  readonly flagBelow: number;
  readonly flagged: readonly LowSession[];
  readonly flaggedInAll: number;
};

export type ListSort = 'date' | 'q' | 'cost' | 'turns';

/** `block`: the five hours from the full hour of the first session on, as subscriptions count them. */
export type ListGroup = SessionGroup | 'block';

/** A session as a line of a list. */
export type ListedSession = SessionRecord & {
  /** What was seen in it, worst first; empty where nothing was. */
  readonly why: string;
  /** What was asked, from the transcript as it is now; absent where it is gone, says nothing, or nobody wanted it. */
  readonly title?: string;
  /** What a model said of it, 1–5. */
  readonly modelRating?: number;
};

/** One that has a Q; `why` may be what took it away. */
export type LowSession = ListedSession & { readonly q: number };

/** What several sessions come to. */
export type SessionTotals = {
  readonly sessions: number;
  /** Mean over those with a Q. */
  readonly q: Measurement;
  /** Absent where only sums were read. */
  readonly turns?: number;
  /** Over those that count tokens. */
  readonly usage: Usage;
  /** Absent: the cost of none is known. */
  readonly costUsd?: number;
  readonly costUnknown: number;
  readonly costIsLowerBound: boolean;
};

/** A group without a key: what it is grouped by is not known of its sessions. */
export type ListedGroup = SessionTotals & {
  readonly key: string | undefined;
  readonly models: readonly string[];
  readonly listed: readonly ListedSession[];
};

export type SessionList = LeftOut & {
  readonly sort: ListSort;
  readonly by?: ListGroup;
  /** Whose days they are; UTC without it. */
  readonly timezone?: string;
  readonly total: SessionTotals;
  readonly groups: readonly ListedGroup[];
  /** Those that were asked for, in order; none where they are listed by group. */
  readonly listed: readonly ListedSession[];
  /** Sessions that were scored and then left out by the filter. */
  readonly filteredOut: number;
};

/** Per task type, except where the task type is what is grouped by. */
export type GroupRoi = RoiRow & { readonly taskType?: TaskType };

export type RoiResult = LeftOut & {
  readonly by: SessionGroup;
  /** Whose days, weeks and months they are. */
  readonly timezone?: string;
  readonly groups: readonly GroupRoi[];
  /** All of them as one; absent where none has a Q. */
  readonly total?: RoiRow;
};

export type FrontierResult = LeftOut & {
  readonly by: 'model' | 'agent';
  readonly frontiers: readonly ComparedFrontier[];
};

/** `out`: the file that took what was learnt; `notWritten`: the one that did not, because too little was. */
export type IntentTraining = LeftOut & {
  readonly validation: IntentValidation;
  readonly model: IntentModel;
  /** How many the file has; those of sessions that were not found count here alone. */
  readonly labels: number;
  readonly out?: string;
  readonly notWritten?: string;
};

export type RouteResult = LeftOut & { readonly policy: RoutePolicy; readonly replay?: Replay };

/** `out`: the file that took it, where one was named. */
export type FittedBaselines = LeftOut & {
  readonly set: BaselineSet;
  readonly figures: readonly FittedFigure[];
  readonly out?: string;
};

export type Validation = LeftOut &
  (
    | { readonly against: 'ratings'; readonly validation: RatingValidation }
    | { readonly against: 'outcomes'; readonly validation: OutcomeValidation }
  );

/** A rated session: its Q and what people said of it. */
export type RatedPoint = {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q: number;
  /** Mean of what each rater said last. */
  readonly rating: number;
  readonly raters: number;
};

export type StoredValidation = {
  readonly validation: RatingValidation;
  readonly points: readonly RatedPoint[];
  /** Ratings of sessions that are not stored here, or of a name that several have. */
  readonly unjoined: number;
};

export type CalibrationResult = LeftOut & {
  readonly calibration: WeightCalibration;
  /** The file that has the weights now. */
  readonly out?: string;
  /** The file that was asked for, where there was nothing to write. */
  readonly notWritten?: string;
};

/** A kind of line or record of a file that could not be used. */
type SkippedKind = {
  readonly path: string;
  readonly reason: string;
  readonly count: number;
  readonly firstLine?: number;
};

export type Skipped = LeftOut & { readonly files: number; readonly kinds: readonly SkippedKind[] };

/** What is about to be sent to a model, and what it may cost. */
export type JudgingPlan = {
  readonly model: string;
  /** Where it is asked, when that is not the provider's own address. */
  readonly address?: string;
  /** The name its ratings are kept under: the model, the rubric and the beginning of its hash. */
  readonly author: string;
  readonly rubric: { readonly name: string; readonly sha256: string };
  /** Sessions in all, those judged before, and those that are asked about now. */
  readonly of: number;
  readonly known: number;
  readonly asked: number;
  /** What the sessions cost, as far as it is known. */
  readonly costUsd?: number;
  readonly ceilingUsd?: number;
};

export type JudgedSession = {
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q?: number;
  readonly tier?: string;
  /** 1 to 5; absent when the model could not tell. */
  readonly rating?: number;
  readonly reason: string;
  readonly costUsd?: number;
};

export type UnjudgedSession = { readonly sessionId: string; readonly why: string };

/** What a model says of sessions. */
export type SessionJudgements = LeftOut & {
  readonly plan: JudgingPlan;
  /** False: sending was not allowed, so nothing was sent. */
  readonly allowed: boolean;
  readonly judged: readonly JudgedSession[];
  readonly unjudged: readonly UnjudgedSession[];
  readonly spentUsd?: number;
  readonly warnings?: readonly string[];
};

/** What became of scores that were sent to others. */
export type SentScores = {
  /** In the store, of those that were asked for. */
  readonly sessions: number;
  /** Without a Q and without an outcome: nothing is sent of them. */
  readonly unmeasured: number;
  readonly targets: readonly SentTo[];
};

export type SentTo = {
  readonly target: 'webhook' | 'evaluations' | 'langfuse' | 'phoenix';
  readonly sent: number;
  /** As they are now; they were not sent again. */
  readonly sentBefore: number;
  /** They will not be taken, and are not tried again. */
  readonly refused: number;
  /** Not taken yet. */
  readonly waiting: number;
  /** Why the last one was not taken. */
  readonly why?: string;
};

/** Something that became of a session while it was followed, with its row. */
export type SessionLiveEvent = SessionRecord & {
  /** The same for the same event. */
  readonly eventId: string;
  /** `session.scored`: it has ended, or had ended and is worth something else now. */
  readonly type: 'session.started' | 'session.updated' | 'session.scored';
  readonly at: string;
  readonly revision: string;
  readonly turns: number;
  readonly toolCalls: number;
  /** What took the score away; empty where nothing did. */
  readonly why: string;
};
