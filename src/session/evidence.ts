/**
 * The stored facts of a session: compact, with pointers (lines), never its text. Enough to score it again with other
 * weights after the transcript is gone. Plain JSON throughout.
 */
import type { ArtifactKind, EndReason, Trigger, Usage } from './event.ts';

/** Lines of evidence, at most `MAX_POINTERS`, sorted. */
export type Pointers = readonly number[];
export const MAX_POINTERS = 8;

/** Usage of one model in a run. Cost is set only when the transcript states it; 0 then means free. */
export type ModelFacts = {
  readonly model: string;
  readonly provider?: string;
  readonly messages: number;
  readonly usage: Usage;
  /** Messages without usage (or with all zeros): their tokens are unknown, not 0. */
  readonly messagesWithoutUsage: number;
  readonly costUsd?: number;
  /** The messages without a stated cost, when others have one. `costUsd` is then partial, and these must be priced. */
  readonly unpriced?: {
    readonly messages: number;
    readonly messagesWithoutUsage: number;
    readonly usage: Usage;
  };
  /** Long requests among the messages without a stated cost, by length: providers charge more for them. */
  readonly long?: readonly LongRequests[];
};

/** Requests with more input than `over`, cached tokens included, up to the next length. */
type LongRequests = { readonly over: number; readonly messages: number; readonly usage: Usage };

type ToolFacts = {
  readonly calls: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Rejected or stopped by the user, or rejected by a rule; neither a success nor a failure of the tool. */
  readonly denied: number;
  /** Without a result, or with an unclear one. */
  readonly unknown: number;
  /** Calls that succeeded and were not a retry of a failed one. */
  readonly firstAttemptSuccesses: number;
  /** Attempts with failed calls: calls sent together are one attempt. Absent: each was sent separately. */
  readonly failedAttempts?: number;
  readonly failedLines: Pointers;
  /** Those of `denied` that the user rejected or stopped. */
  readonly deniedLines: Pointers;
};

/**
 * A loop is two or more failed attempts with the same tool on the same target, without a success of any tool in
 * between. Calls sent together are one attempt.
 */
export type LoopFacts = {
  /** Ended in a success. */
  readonly recovered: number;
  /** Given up, or still failing at the end. */
  readonly persistent: number;
  /** The longest row of identical calls, and where it ends. */
  readonly longestRepeat: number;
  readonly lines: Pointers;
  /** The last failure of an unrecovered loop. */
  readonly persistentLine?: number;
};

export type ArtifactFacts = {
  readonly artifact: ArtifactKind;
  readonly made: number;
  readonly failed: number;
  readonly lines: Pointers;
};

/** Number of tool calls by kind; the kinds decide the task type. */
export type ToolKind =
  | 'read'
  | 'write'
  | 'shell'
  | 'web'
  | 'message'
  | 'cron'
  | 'spawn'
  | 'plan'
  | 'record'
  | 'handoff'
  | 'other';

/**
 * How a user corrects an agent: rejects a call with feedback, interrupts it with another request, reports a failure after it
 * delivered, asks the same again, says so, or says what makes the agent admit a mistake or change the same file again.
 */
export type CorrectionKind = 'denied' | 'interrupted' | 'failed' | 'again' | 'said' | 'admitted';

/** The kind of the agent's last message. */
export type FinalReply = 'text' | 'heartbeat-ok' | 'no-reply' | 'nothing-to-report' | 'refusal' | 'empty';

/** Traits of the first message, without its text: enough to tell task types apart. */
export type RequestTrait =
  | 'question'
  | 'code-words'
  | 'research-words'
  | 'creative-words'
  | 'operations-words'
  | 'advice-words'
  | 'heartbeat-words'
  /** Asks to write or fix code, and names it. */
  | 'code-request'
  /** Asks why, how or whether something is: a request for an explanation. */
  | 'explain-request'
  /** Asks for a plan, a proposal or an opinion, not for changes. */
  | 'plan-request'
  | 'file-path'
  | 'code-block'
  | 'url'
  | 'short'
  | 'long';

/** How much a request asks for: counts of what it names. */
export type RequestScope = {
  readonly files: number;
  readonly systems: number;
  /** Items of its lists. */
  readonly parts: number;
  /** It mentions many places, or few. */
  readonly wide: boolean;
  readonly narrow: boolean;
};

/**
 * The strength of each kind of check. `checks`: several in one, such as a project's own `verify`; `run`: the changed
 * program; `snippet`: code that the agent wrote to try it; `hook`: of a commit; `report`: of a sub-agent.
 */
export const CHECK_STRENGTH = {
  tests: 'strong',
  checks: 'strong',
  ci: 'strong',
  types: 'medium',
  build: 'medium',
  hook: 'medium',
  lint: 'weak',
  run: 'weak',
  snippet: 'weak',
  report: 'weak',
} as const;
export type CheckKind = keyof typeof CHECK_STRENGTH;

/** How many checks of a run passed, failed, and could not run (a missing module, no network, a wrong folder). */
type CheckCounts = { readonly passed: number; readonly failed: number; readonly impossible: number };
type CheckFacts = CheckCounts & {
  /** Counts per kind of check. */
  readonly kinds?: Readonly<Partial<Record<CheckKind, CheckCounts>>>;
};

/** Actions that discard work, or remove what would have revealed a fault. */
export const RISK_KINDS = [
  'discarded-changes',
  'deleted-files',
  'force-push',
  'tests-removed',
  'tests-weakened',
  'assertions-removed',
  'checks-disabled',
  'hooks-skipped',
] as const;
export type RiskKind = (typeof RISK_KINDS)[number];

/** `all`: everything uncommitted, not one file. */
type RiskyAction = { readonly kind: RiskKind; readonly line: number; readonly all?: true };
export const MAX_RISKS = 16;

/** Why a request of a run was not carried out, or only in part. */
export type Unmet = {
  readonly why: 'not acted on' | 'rejected' | 'failed' | 'tests dropped';
  readonly line: number;
};

/** The last message makes a claim that the last check of that kind does not support. `check` absent: there was none. */
export type UnsupportedClaim = {
  readonly about: 'tests' | 'build' | 'lint' | 'done';
  readonly line: number;
  readonly check?: { readonly kind: CheckKind; readonly line: number };
};

type CodeWorkFacts = {
  readonly codeChanges: number;
  /** The last line at which a file or record changed, and code. */
  readonly lastChangeLine: number;
  readonly lastCodeLine?: number;
  /** The last check (tests, build, types, linter, running it) since the last change of code. */
  readonly check?: {
    readonly kind: CheckKind;
    readonly passed: boolean;
    readonly what: string;
    readonly line: number;
  };
  /** The last check that could not run, since the last change of code. */
  readonly impossible?: { readonly kind: CheckKind; readonly line: number };
};

export type AgentRunFacts = {
  /** The file of its lines, when it is not the file of its session (parts of a session found in a duplicate file). */
  readonly file?: string;
  readonly trigger: Trigger;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Milliseconds since 1970, UTC. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Messages of the user (or of the trigger): the turns of the run. */
  readonly turns: number;
  /** Model messages. */
  readonly replies: number;
  readonly models: readonly ModelFacts[];
  readonly tools: ToolFacts;
  readonly toolKinds: Readonly<Partial<Record<ToolKind, number>>>;
  readonly loops: LoopFacts;
  readonly spawned: number;
  readonly spawnsCompleted: number;
  readonly spawnsFailed: number;
  readonly compactions: number;
  readonly compactionLines: Pointers;
  /** Corrections by the user, and their kinds. */
  readonly corrections: number;
  readonly correctedBy?: Readonly<Partial<Record<CorrectionKind, number>>>;
  readonly correctionLines: Pointers;
  /** How often the user corrected something it had made earlier, and the last line of it. */
  readonly sentBack?: { readonly times: number; readonly line: number };
  readonly interrupts: number;
  readonly interruptLines: Pointers;
  /** In a group or channel, where silence may be right. */
  readonly inGroup?: true;
  /** Turns that ask for something new. */
  readonly requests: number;
  /** Turns that only accept the result: not part of the effort. */
  readonly thanks: number;
  /** The size of the largest request. */
  readonly scope?: RequestScope;
  readonly outputChars: number;
  /** Characters that the model wrote into calls. */
  readonly callChars: number;
  /** Characters of these in generic replies ("Sure, let me check"). */
  readonly fillerChars: number;
  readonly finalReply: FinalReply;
  readonly finalReplyChars: number;
  readonly finalReplyLine?: number;
  /** Replies that should have text, but whose text the source does not record. */
  readonly repliesWithoutText: number;
  readonly requestTraits: readonly RequestTrait[];
  /** Hash of its first request, without numbers: the same for recurring requests. */
  readonly requestHash?: number;
  readonly artifacts: readonly ArtifactFacts[];
  /** Calls that tried to change something outside the conversation, and how many of them failed. */
  readonly changesAttempted: number;
  /** Of these, in scheduled runs: messages without news, and its own notes about the run. */
  readonly idleChanges: number;
  readonly changesFailed: number;
  /** Rejected or stopped calls that would have changed something: neither attempts nor failures. */
  readonly changesDenied?: number;
  readonly checks: CheckFacts;
  readonly risks?: readonly RiskyAction[];
  /** It discarded all its changes, and the user did not ask for that. */
  readonly discarded?: { readonly line: number };
  readonly unmet?: Unmet;
  readonly claim?: UnsupportedClaim;
  /** Changes of files and records; absent if there were none. */
  readonly work?: CodeWorkFacts;
  /** Its last message says that it did not succeed. */
  readonly gaveUp?: true;
  /** Its last message only announces what it will do. */
  readonly promised?: true;
  /** Its last message leaves necessary work to the user. */
  readonly handsOver?: true;
  /** Best evidence of a changed state (a merged PR, passing tests at the end, a stored record): 0–1, and its line. */
  readonly stateChange?: { readonly value: number; readonly what: string; readonly line: number };
  /** Best evidence of acceptance: 0–1, and its line. */
  readonly acceptance?: { readonly value: number; readonly what: string; readonly line: number };
  readonly end: EndReason;
  readonly endLine: number;
};

/**
 * What a session left in files, as salted hashes of lines (fold/line-fingerprints.ts), and the commits that its
 * transcript shows.
 */
export type WrittenFacts = {
  /** One of this many lines is stored, chosen by its hash: 1 unless there were very many. */
  readonly oneIn: number;
  readonly files: readonly FileWork[];
  readonly commits: readonly { readonly sha: string; readonly subject: number; readonly at?: number }[];
};

export type FileWork = {
  /** Its path (`pathEnds`). */
  readonly ends: readonly number[];
  /** Hash of its first name, if it was renamed: the salt of its line hashes. */
  readonly salt?: number;
  /** In the folder that the session worked in. */
  readonly inside: boolean;
  /** When it was first and last written; milliseconds since 1970, UTC. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** Lines that it wrote and that remained (`packHashes`). */
  readonly wrote: string;
  /** Earlier lines that it removed. */
  readonly removed?: string;
  /** Lines that it wrote and later overwrote. */
  readonly left?: string;
};

/** Lines after `after` belong to another file, counted from there. */
export type FilePart = { readonly path: string; readonly after: number };

export type SessionFacts = {
  readonly version: 1;
  /** Name of the transcript format. */
  readonly source: string;
  readonly sessionId: string;
  /** Hash of the first transcript entry, for formats whose entry ids survive copying. */
  readonly origin?: string;
  readonly parentSessionId?: string;
  /** The run's name in a file of many results. */
  readonly instance?: string;
  readonly agent?: string;
  /** The folder it worked in, or the agent's name of the project. */
  readonly project?: string;
  /** It was sent to a server: its folder is on another machine, or a claim of the sender. */
  readonly sent?: SentBy;
  readonly declaredTaskType?: string;
  /** The total usage of the session, when no message has its own. */
  readonly declaredUsage?: Usage;
  readonly declaredCostUsd?: number;
  /** The declared usage is a running total over all requests: it counts when the messages add up to less. */
  readonly declaredIsTotal?: true;
  /** Only the end was recorded: earlier steps and user messages are missing. */
  readonly endOnly?: true;
  readonly runs: readonly AgentRunFacts[];
  /** The other files of a session that was read from several files. */
  readonly files?: readonly FilePart[];
  /** Absent: it wrote no visible line. */
  readonly written?: WrittenFacts;
  /** Entries on abandoned branches: counted separately, part of no run. */
  readonly abandoned: { readonly entries: number; readonly usage: Usage };
};

export type SentBy = {
  /** The project of the token; absent: the token is for all projects. */
  readonly project?: string;
};

/** How the lines of a file were read. */
export type FileReading = {
  readonly path: string;
  /** The real path, when `path` is relative or contains a link. */
  readonly place?: string;
  readonly lines: number;
  /** Reason → how many lines were skipped, and the first of them. */
  readonly skipped: Readonly<Record<string, { readonly count: number; readonly firstLine: number }>>;
  /** Unknown record types: counted, never fatal. */
  readonly unknownRecords: Readonly<Record<string, number>>;
};
