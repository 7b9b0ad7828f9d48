/**
 * The normalised events of a session. A format's adapter turns each record of a transcript into zero or more of
 * these; everything after that is the same for all agents. Events may carry text; the fold reads it and keeps only
 * facts, so text never leaves ingest.
 */

/** Tokens of one model message. `input` is what was neither read from nor written to a cache. */
export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** What of `cacheWrite` is kept for an hour, which costs more; absent where the source does not tell, or tells of none. */
  readonly cacheWriteHour?: number;
};

/** What set a run going. */
export type Trigger = 'user' | 'cron' | 'heartbeat' | 'subagent' | 'hook' | 'unknown';

/** How a run or session ended. `handoff`: given to a person on purpose. `open`: it may still be going on. */
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
  /** 1-based line (or index of the element in a document) that showed it. */
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
    /** The person stopped the agent (Esc, /stop, cancelled). */
    | { readonly kind: 'interrupt' }
    /**
     * Evidence about the outside world: 1 it happened and holds, 0 it was undone or refused. `what` is one of the
     * phrases in fold/effects.ts; anything else becomes "stated by the source".
     */
    | { readonly kind: 'state-change' | 'acceptance'; readonly value: number; readonly what: string }
  );

/** What the transcript says about itself; may come several times, later fields win. */
export type SessionEvent = {
  readonly kind: 'session';
  readonly sessionId?: string;
  readonly parentSessionId?: string;
  readonly agent?: string;
  /** The folder it works in, or the name its agent gives the project; the first one stays. */
  readonly project?: string;
  readonly model?: string;
  readonly provider?: string;
  /** What the runtime says set it going, when it says so. */
  readonly trigger?: Trigger;
  /** The whole cost as the runtime counted it, when no message carries its own. */
  readonly costUsd?: number;
  /** The source says outright that it was free: without this, a cost of 0 is a runtime that knows no price. */
  readonly free?: true;
  /** The whole token count, when no message carries its own. */
  readonly usage?: Usage;
  /** `usage` is the runtime's running total over all requests: where the messages carry less, it is the truth. */
  readonly usageIsTotal?: true;
  /** A task type that the source declares. */
  readonly taskType?: string;
  /** Only its end was printed: what it did before and what was said to it is not there. */
  readonly endOnly?: true;
};

/** Something said to the agent. */
export type UserEvent = {
  readonly kind: 'user';
  /** `runtime`: made by the program itself (a reminder, a child's completion); neither a turn nor a trigger. */
  readonly origin: Exclude<Trigger, 'unknown'> | 'runtime';
  readonly text: string;
};

/**
 * A message of the model, or one of several records of it. Records with the same `messageId` are one message: the
 * usage of the last one counts, their texts add up.
 */
export type ReplyEvent = {
  readonly kind: 'reply';
  readonly messageId?: string;
  readonly text: string;
  /** The source has no text for this message: what it said, if anything, is not known. `text` is then empty. */
  readonly textMissing?: true;
  readonly model?: string;
  readonly provider?: string;
  readonly usage?: Usage;
  /** Without `usage` its tokens are not missing: the format counts them in running totals, on other records. */
  readonly usageElsewhere?: true;
  /** `usage` is the sum of several requests: how long each of them was is not known. */
  readonly usageOfSeveral?: true;
  readonly costUsd?: number;
  /** The source says outright that it was free: without this, a cost of 0 is a runtime that knows no price. */
  readonly free?: true;
  /** The message counts for another session or under another id after all: nothing of it counts here. */
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
  /** The format's own truth; undefined when it does not say, then the text is looked at. */
  readonly ok?: boolean;
  /** Still going on: not a result yet. */
  readonly running?: boolean;
  /** A person said no to the call, or stopped it while it ran: neither attempted nor failed. */
  readonly denied?: boolean;
  /** Of a denied call: nobody was asked, a rule or the program itself forbade it. */
  readonly byRule?: true;
  /** Of a denied call: what the person said with it, in their own words. */
  readonly reason?: string;
  /** The beginning and the end are enough; adapters cut long texts to 4,000 characters. */
  readonly text?: string;
};

/** A sub-agent started or came back; `ok` undefined: not known (yet). */
export type SpawnEvent = {
  readonly kind: 'spawn';
  readonly spawnId: string;
  readonly sessionId?: string;
  readonly ok?: boolean;
};

/** Evidence of something made or attempted that the format states outright. */
type ArtifactEvent = {
  readonly kind: 'artifact';
  readonly artifact: ArtifactKind;
  readonly ok: boolean;
};

/**
 * What became of a file, where the format shows it more exactly than the input of the call does. It comes before the result
 * of its call, and stands for all that the call did to files; without a call it has happened.
 */
export type FileChangeEvent = {
  readonly kind: 'file-change';
  readonly callId?: string;
  readonly path: string;
  /** Lines that are in it now and were not before, and the other way round. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** `added` is all there is in it now. */
  readonly whole: boolean;
};

/** A command that the person ran beside the agent (`!npm test`). What it shows is seen by both; it is no call of the agent. */
export type UserCommandEvent = {
  readonly kind: 'person-command';
  readonly command: string;
  /** What it printed. */
  readonly text?: string;
  /** By its exit code, where that is recorded. */
  readonly ok?: boolean;
};

export type EndEvent = { readonly kind: 'end'; readonly reason: EndReason };

type Without<Each, Key extends PropertyKey> = Each extends unknown ? Omit<Each, Key> : never;

/** An event to which its place is still to be added. */
export type UnplacedEvent = Without<Event, 'line' | 'at'>;
