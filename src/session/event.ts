/**
 * The normalised events of a session. A format's adapter turns each record of a transcript into zero or more of these;
 * everything after that is the same for all agents. Events may carry text. The fold reads it and stores only facts, so
 * text never leaves ingest.
 */

/** Tokens of one model message. `input` excludes tokens read from or written to a cache. */
export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /**
   * The part of `cacheWrite` that is cached for an hour, which costs more; absent when the source does not state it.
   */
  readonly cacheWriteHour?: number;
};

/** What started a run. */
export type Trigger = 'user' | 'cron' | 'heartbeat' | 'subagent' | 'hook' | 'unknown';

/** How a run or session ended. `handoff`: handed to a human on purpose. `open`: it may still be in progress. */
export type EndReason =
  | 'normal'
  | 'error'
  | 'aborted'
  | 'timeout'
  | 'limit'
  | 'handoff'
  | 'cut-off'
  | 'open'
  | 'unknown';

/** What a session left behind. */
export type ArtifactKind =
  | 'file'
  | 'commit'
  | 'pull-request'
  | 'message'
  | 'cron'
  | 'issue'
  | 'record'
  | 'answer';

type At = {
  /** 1-based line (or index of the element in a document) of the evidence. */
  readonly line: number;
  /** Milliseconds since 1970, UTC. */
  readonly at?: number;
};

export type Event = At &
  (
    | SessionEvent
    | UserEvent
    | ReplyEvent
    | CallEvent
    | ResultEvent
    | SpawnEvent
    | ArtifactEvent
    | FileChangeEvent
    | UserCommandEvent
    | EndEvent
    | { readonly kind: 'compaction' }
    /** The user stopped the agent (Esc, /stop, cancelled). */
    | { readonly kind: 'interrupt' }
    /**
     * External evidence: 1 it happened and holds, 0 it was undone or rejected. `what` is one of the phrases in
     * fold/effects.ts; anything else becomes "stated by the source".
     */
    | { readonly kind: 'state-change' | 'acceptance'; readonly value: number; readonly what: string }
  );

/** What the transcript states about the session; may come several times, later fields win. */
export type SessionEvent = {
  readonly kind: 'session';
  readonly sessionId?: string;
  readonly parentSessionId?: string;
  readonly agent?: string;
  /** The folder it works in, or the agent's name of the project; the first one stays. */
  readonly project?: string;
  readonly model?: string;
  readonly provider?: string;
  /** What started the session, when the runtime states it. */
  readonly trigger?: Trigger;
  /** The total cost as the runtime counted it, when no message has its own. */
  readonly costUsd?: number;
  /** The source states that it was free. Without this, a cost of 0 comes from a runtime that knows no price. */
  readonly free?: true;
  /** The total token count, when no message has its own. */
  readonly usage?: Usage;
  /** `usage` is the runtime's running total over all requests: it counts when the messages add up to less. */
  readonly usageIsTotal?: true;
  /** A task type that the source declares. */
  readonly taskType?: string;
  /** Only the end was recorded: earlier steps and user messages are missing. */
  readonly endOnly?: true;
};

/** A message to the agent. */
export type UserEvent = {
  readonly kind: 'user';
  /** `runtime`: made by the program itself (a reminder, a child's completion); neither a turn nor a trigger. */
  readonly origin: Exclude<Trigger, 'unknown'> | 'runtime';
  readonly text: string;
};

/**
 * A message of the model, or one of several records of it. Records with the same `messageId` are one message: the last
 * usage counts, and their texts are joined.
 */
export type ReplyEvent = {
  readonly kind: 'reply';
  readonly messageId?: string;
  readonly text: string;
  /** The source has no text for this message, so its content is unknown. `text` is then empty. */
  readonly textMissing?: true;
  readonly model?: string;
  readonly provider?: string;
  readonly usage?: Usage;
  /** Without `usage` its tokens are not missing: the format counts them in running totals, on other records. */
  readonly usageElsewhere?: true;
  /** `usage` is the sum of several requests, whose single lengths are unknown. */
  readonly usageOfSeveral?: true;
  readonly costUsd?: number;
  /** The source states that it was free. Without this, a cost of 0 comes from a runtime that knows no price. */
  readonly free?: true;
  /** The message counts for another session or under another id, so nothing of it counts here. */
  readonly retracted?: true;
  readonly stop?: 'end' | 'tool' | 'length' | 'error' | 'aborted' | 'refusal';
};

export type CallEvent = {
  readonly kind: 'call';
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
};

export type ResultEvent = {
  readonly kind: 'result';
  readonly callId: string;
  /** The status from the format; without one, the output text decides. */
  readonly ok?: boolean;
  /** Still running: not a result yet. */
  readonly running?: boolean;
  /** The user rejected the call, or stopped it while it ran: neither attempted nor failed. */
  readonly denied?: boolean;
  /** For a denied call: a rule or the program itself rejected it, without asking the user. */
  readonly byRule?: true;
  /** For a denied call: the user's own words about it. */
  readonly reason?: string;
  /** The beginning and the end are enough; adapters cut long texts to 4,000 characters. */
  readonly text?: string;
};

/** A sub-agent started or completed; `ok` undefined: not known (yet). */
export type SpawnEvent = {
  readonly kind: 'spawn';
  readonly spawnId: string;
  readonly sessionId?: string;
  readonly ok?: boolean;
};

/** An artifact, made or attempted, that the format states explicitly. */
type ArtifactEvent = {
  readonly kind: 'artifact';
  readonly artifact: ArtifactKind;
  readonly ok: boolean;
};

/**
 * The change of a file, when the format shows it more exactly than the input of the call. It comes before the result of
 * its call and replaces everything the call did to files. Without a call, it has already happened.
 */
export type FileChangeEvent = {
  readonly kind: 'file-change';
  readonly callId?: string;
  readonly path: string;
  /** Lines added, and lines removed. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** `added` is the whole content of the file now. */
  readonly whole: boolean;
};

/**
 * A command that the user ran during the session (`!npm test`). Both see its output, but it is not a call of the agent.
 */
export type UserCommandEvent = {
  readonly kind: 'person-command';
  readonly command: string;
  /** Its output. */
  readonly text?: string;
  /** By its exit code, where that is recorded. */
  readonly ok?: boolean;
};

export type EndEvent = { readonly kind: 'end'; readonly reason: EndReason };

type Without<Each, Key extends PropertyKey> = Each extends unknown ? Omit<Each, Key> : never;

/** An event without its line and time, which are added later. */
export type UnplacedEvent = Without<Event, 'line' | 'at'>;
