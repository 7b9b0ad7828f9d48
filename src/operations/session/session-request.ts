/** Which sessions are asked for, and how they are scored: what every operation about sessions takes. */
import type { Environment } from '../../session/ingest/formats/format.ts';
import { TASK_TYPES, type TaskType } from '../../session/profiles/task-type.ts';
import { isTimeZone, startOfDay } from '../../session/time-zone.ts';
import type { SessionWeights } from '../../session/weights.ts';

export type SessionRequest = {
  /** Transcripts, or what the store has of them already. */
  readonly from: TranscriptPlaces | 'store';
  /** Whether named paths also go into the store; a store that cannot be written is reported. */
  readonly keep?: boolean;
  /** `false`: what models said of sessions is not looked up. */
  readonly opinions?: false;
  readonly scoring?: ScoringChoices;
  readonly filter?: SessionFilter;
  /** The IANA time zone of days, weeks and months. Default: UTC. */
  readonly timezone?: string;
  /** Whether to read the outcome of the work from the repositories. */
  readonly repositories?: RepositoryChoices;
};

export type RepositoryChoices = {
  /** Where repositories are now: for all sessions, or for those that recorded a certain folder. */
  readonly places: readonly { readonly from?: string; readonly to: string }[];
  /** Project → the folders below which repositories are asked for its sessions that were sent. */
  readonly roots?: Readonly<Record<string, readonly string[]>>;
  readonly environment: Environment;
};

/** Decides where agents on this machine store their sessions. */
export type Machine = { readonly home: string; readonly environment: Environment };

export type TranscriptPlaces = Machine & {
  /** Files, folders and globs, `-` for standard input; none: the places of the agents on this machine. */
  readonly paths: readonly string[];
  /** True: also unchanged files are read. */
  readonly fresh?: boolean;
  /** True: nothing goes into the store; named paths never do. */
  readonly temporary?: boolean;
};

/** Paths of files, and what the configuration says. */
export type ScoringChoices = {
  readonly weights?: string;
  readonly baselines?: string;
  readonly prices?: string;
  /** A file with outcomes of sessions. */
  readonly outcomes?: string;
  /** Task types of single sessions. */
  readonly taskTypes?: string;
  /** Costs of single sessions. */
  readonly costs?: string;
  /** What was learnt of kinds of work from one's own labels. */
  readonly intents?: string;
  /** Agent or source → task type. */
  readonly taskTypeOf?: Readonly<Record<string, TaskType>>;
  /** Weights of the configuration; a file of weights goes before them. */
  readonly ownWeights?: SessionWeights;
};

/** What a filter by task type may ask for. */
export const FILTERED_TASK_TYPES: readonly TaskType[] = TASK_TYPES;

/** What a request may say of time zones. */
export const TIME_ZONES = { isTimeZone, startOfDay } as const;

export type SessionFilter = {
  /** Milliseconds since 1970: only sessions that started then or later. */
  readonly since?: number;
  /** Only sessions that started before then. */
  readonly until?: number;
  /** The agent or source, in any case of letters. */
  readonly agent?: string;
  /** A part of the name of a model it used, in any case of letters. */
  readonly model?: string;
  /** Its folder, the last parts of it, or its name. */
  readonly project?: string;
  readonly taskType?: TaskType;
  readonly minCoverage?: number;
};
