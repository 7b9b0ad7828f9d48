/** Which sessions a request is about, and how they are scored: the input of every operation about sessions. */
import type { Environment } from '../../session/ingest/formats/format.ts';
import { TASK_TYPES, type TaskType } from '../../session/profiles/task-type.ts';
import { isTimeZone, startOfDay } from '../../session/time-zone.ts';
import type { SessionWeights } from '../../session/weights.ts';

export type SessionRequest = {
  /** Transcripts, or their stored sessions. */
  readonly from: TranscriptPlaces | 'store';
  /** Whether named paths also go into the store; a store that cannot be written is reported. */
  readonly keep?: boolean;
  /** `false`: skip model opinions. */
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
  /** Project → the folders below which Assay may read repositories for sessions sent to the server. */
  readonly roots?: Readonly<Record<string, readonly string[]>>;
  readonly environment: Environment;
};

/** Decides where agents on this machine store their sessions. */
export type Machine = { readonly home: string; readonly environment: Environment };

export type TranscriptPlaces = Machine & {
  /** Files, folders and globs, `-` for standard input; empty: the places of the agents on this machine. */
  readonly paths: readonly string[];
  /** True: also read unchanged files. */
  readonly fresh?: boolean;
  /** True: store nothing; named paths are never stored. */
  readonly temporary?: boolean;
};

/** Paths of files, and configured values. */
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
  /** An intent model trained on the user's own labels. */
  readonly intents?: string;
  /** Agent or source → task type. */
  readonly taskTypeOf?: Readonly<Record<string, TaskType>>;
  /** Configured weights; a file of weights takes precedence. */
  readonly ownWeights?: SessionWeights;
};

/** Task types that a filter accepts. */
export const FILTERED_TASK_TYPES: readonly TaskType[] = TASK_TYPES;

/** Time zone functions for requests. */
export const TIME_ZONES = { isTimeZone, startOfDay } as const;

export type SessionFilter = {
  /** Milliseconds since 1970: only sessions that started then or later. */
  readonly since?: number;
  /** Only sessions that started before then. */
  readonly until?: number;
  /** The agent or source, case-insensitive. */
  readonly agent?: string;
  /** A part of the name of a model it used, case-insensitive. */
  readonly model?: string;
  /** Its folder, the last parts of it, or its name. */
  readonly project?: string;
  readonly taskType?: TaskType;
  readonly minCoverage?: number;
};
