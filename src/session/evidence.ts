/**
 * What is remembered of a session: compact facts and pointers (lines), never its text. Enough to score it again with
 * other weights after the transcript is gone. Plain JSON throughout.
 */
import type { ArtifactKind, EndReason, Trigger, Usage } from './event.ts';

/** Lines that showed something, at most `MAX_POINTERS` of them, in order. */
export type Pointers = readonly number[];
export const MAX_POINTERS = 8;

/** What one model did in a run. Cost is set only when the transcript states it; 0 is then a statement too: free. */
export type ModelFacts = {
  readonly model: string;
  readonly provider?: string;
  readonly messages: number;
  readonly usage: Usage;
  /** Messages that carried no usage at all (or all zeros): their tokens are unknown, not 0. */
  readonly messagesWithoutUsage: number;
  readonly costUsd?: number;
  /** The messages that state no cost, when others do: `costUsd` is then only a part, and these are left to be priced. */
  readonly unpriced?: {
    readonly messages: number;
    readonly messagesWithoutUsage: number;
    readonly usage: Usage;
  };
  /** Of the messages that state no cost, the long requests by their length: providers charge more for them. */
  readonly long?: readonly LongRequests[];
};

/** Requests with more input than `over`, cached tokens included, and not more than the next length. */
type LongRequests = { readonly over: number; readonly messages: number; readonly usage: Usage };

type ToolFacts = {
  readonly calls: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Forbidden or stopped by a person, or forbidden by a rule; neither a success nor a failure of the tool. */
  readonly denied: number;
  /** No result was seen, or it cannot be told. */
  readonly unknown: number;
  /** Calls that succeeded and were not a retry of a failed one. */
  readonly firstAttemptSuccesses: number;
  /** Attempts in which calls failed: those sent together are one. Absent: each was sent by itself. */
  readonly failedAttempts?: number;
  readonly failedLines: Pointers;
  /** Those of `denied` that a person forbade or stopped. */
  readonly deniedLines: Pointers;
};

/**
 * A loop is two or more failed attempts with the same tool on the same target without a success in between, by any tool.
 * Calls that are sent together are one attempt.
 */
export type LoopFacts = {
  /** Ended in a success. */
  readonly recovered: number;
  /** Given up, or still failing at the end. */
  readonly persistent: number;
  /** The most often an identical call was made in a row, and where that row ends. */
  readonly longestRepeat: number;
  readonly lines: Pointers;
  /** Where one that was not got over failed last. */
  readonly persistentLine?: number;
};

export type ArtifactFacts = {
  readonly artifact: ArtifactKind;
  readonly made: number;
  readonly failed: number;
  readonly lines: Pointers;
};

/** How often tools of each kind were called; the kinds decide the task type. */
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

/** What the last thing the agent said amounts to. */
export type FinalReply = 'text' | 'heartbeat-ok' | 'no-reply' | 'nothing-to-report' | 'refusal' | 'empty';

/** Traits of the first message, without the message: enough to tell task types apart. */
export type RequestTrait =
  | 'question'
  | 'code-words'
  | 'research-words'
  | 'creative-words'
  | 'operations-words'
  | 'advice-words'
  | 'heartbeat-words'
  /** Asked to write or mend code, and named it. */
  | 'code-request'
  /** Asked why, how or whether something is: to look into it and say. */
  | 'explain-request'
  /** Asked for a plan, a proposal or a judgement, not for the deed. */
  | 'plan-request'
  | 'file-path'
  | 'code-block'
  | 'url'
  | 'short'
  | 'long';

/** How much a request asks for: what it names, counted. */
export type RequestScope = {
  readonly files: number;
  readonly systems: number;
  /** Items of its lists. */
  readonly parts: number;
  /** It says that it is about many places, or about few. */
  readonly wide: boolean;
  readonly narrow: boolean;
};

/**
 * How much a check of each kind is able to say. `checks`: several in one, such as a project's own `verify`; `run`: the program
 * that was changed; `snippet`: code that the agent wrote to try it; `hook`: of a commit; `report`: of a sub-agent.
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

/** How many checks of a run passed, failed, and could not run at all (a missing module, no network, a wrong folder). */
type CheckCounts = { readonly passed: number; readonly failed: number; readonly impossible: number };
type CheckFacts = CheckCounts & {
  /** Of each kind that was seen. */
  readonly kinds?: Readonly<Partial<Record<CheckKind, CheckCounts>>>;
};

/** Actions that destroy work or take away what would have shown a fault. */
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

/** `all`: everything that was not committed, not one file. */
type RiskyAction = { readonly kind: RiskKind; readonly line: number; readonly all?: true };
export const MAX_RISKS = 16;

/** Why a request of a run was not carried out, or not in full. */
export type Unmet = {
  readonly why: 'not acted on' | 'rejected' | 'failed' | 'tests dropped';
  readonly line: number;
};

/** The last words claim what the last check of that kind does not support. `check` absent: there was none. */
export type UnsupportedClaim = {
  readonly about: 'tests' | 'build' | 'lint' | 'done';
  readonly line: number;
  readonly check?: { readonly kind: CheckKind; readonly line: number };
};

type CodeWorkFacts = {
  readonly codeChanges: number;
  /** Where a file or record was changed last, and code. */
  readonly lastChangeLine: number;
  readonly lastCodeLine?: number;
  /** The last check (tests, build, types, linter, a run of it) since code was changed last. */
  readonly check?: {
    readonly kind: CheckKind;
    readonly passed: boolean;
    readonly what: string;
    readonly line: number;
  };
  /** The last one that could not run, since code was changed last. */
  readonly impossible?: { readonly kind: CheckKind; readonly line: number };
};

export type AgentRunFacts = {
  /** The file its lines are in, when that is not the file of its session (parts of a session found in a copy). */
  readonly file?: string;
  readonly trigger: Trigger;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Milliseconds since 1970, UTC. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Messages of a person (or of the trigger): the turns of the run. */
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
  /** Corrections by the person, and what they did each time. */
  readonly corrections: number;
  readonly correctedBy?: Readonly<Partial<Record<CorrectionKind, number>>>;
  readonly correctionLines: Pointers;
  /** How often something that it had made before was corrected, and where for the last time. */
  readonly sentBack?: { readonly times: number; readonly line: number };
  readonly interrupts: number;
  readonly interruptLines: Pointers;
  /** Said where others listen, too: a group or a channel, in which silence may be right. */
  readonly inGroup?: true;
  /** Of the turns, those that ask for something new. */
  readonly requests: number;
  /** Of the turns, those that only accept what was done: no effort that the request took. */
  readonly thanks: number;
  /** What the largest request asks for. */
  readonly scope?: RequestScope;
  readonly outputChars: number;
  /** Characters that the model wrote into calls. */
  readonly callChars: number;
  /** Of these, in replies that any agent could give to anybody ("Sure, let me check"). */
  readonly fillerChars: number;
  readonly finalReply: FinalReply;
  readonly finalReplyChars: number;
  readonly finalReplyLine?: number;
  /** Replies that should have had words, but whose text the source does not record. */
  readonly repliesWithoutText: number;
  readonly requestTraits: readonly RequestTrait[];
  /** Of its first request, without numbers: the same for runs that are asked the same again and again. */
  readonly requestHash?: number;
  readonly artifacts: readonly ArtifactFacts[];
  /** Calls that tried to change something outside the conversation, and how many of them failed. */
  readonly changesAttempted: number;
  /** Of these, in scheduled runs: messages that say that there is nothing, and notes of its own about the run. */
  readonly idleChanges: number;
  readonly changesFailed: number;
  /** Calls that would have changed something, forbidden or stopped: neither attempts nor failures. */
  readonly changesDenied?: number;
  readonly checks: CheckFacts;
  readonly risks?: readonly RiskyAction[];
  /** It threw away all that it had changed, and nobody had asked for that. */
  readonly discarded?: { readonly line: number };
  readonly unmet?: Unmet;
  readonly claim?: UnsupportedClaim;
  /** Changes of files and records; absent where there was none. */
  readonly work?: CodeWorkFacts;
  /** Its last words say that it did not succeed. */
  readonly gaveUp?: true;
  /** Its last words only say what it would do. */
  readonly promised?: true;
  /** Its last words leave to the person what the change still needs. */
  readonly handsOver?: true;
  /** Best evidence of a changed state (a merged PR, passing tests at the end, a stored record): 0–1, and where. */
  readonly stateChange?: { readonly value: number; readonly what: string; readonly line: number };
  /** Best evidence that somebody accepted the work: 0–1, and where. */
  readonly acceptance?: { readonly value: number; readonly what: string; readonly line: number };
  readonly end: EndReason;
  readonly endLine: number;
};

/** What a session left in files, as salted numbers of lines (fold/line-fingerprints.ts), and the commits it saw itself make. */
export type WrittenFacts = {
  /** Of so many lines one is kept, chosen by its number: 1 unless there were very many. */
  readonly oneIn: number;
  readonly files: readonly FileWork[];
  readonly commits: readonly { readonly sha: string; readonly subject: number; readonly at?: number }[];
};

export type FileWork = {
  /** Its path (`pathEnds`). */
  readonly ends: readonly number[];
  /** Of its name when it was written first, where that was another: the numbers of its lines are salted with it. */
  readonly salt?: number;
  /** In the folder that the session worked in. */
  readonly inside: boolean;
  /** When it was written first and last; milliseconds since 1970, UTC. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** Lines that it wrote and left there (`packHashes`). */
  readonly wrote: string;
  /** Lines that were there before and that it took out. */
  readonly removed?: string;
  /** Lines that it wrote and then wrote over. */
  readonly left?: string;
};

/** Lines after `after` are those of another file, counted on from there. */
export type FilePart = { readonly path: string; readonly after: number };

export type SessionFacts = {
  readonly version: 1;
  /** Name of the format that was read. */
  readonly source: string;
  readonly sessionId: string;
  /** The first entry of its transcript, hashed, where the format gives entries ids that copies keep. */
  readonly origin?: string;
  readonly parentSessionId?: string;
  /** What a file of many results calls the run that it is of. */
  readonly instance?: string;
  readonly agent?: string;
  /** The folder it worked in, or the name its agent gives the project. */
  readonly project?: string;
  /** It was sent to a server: its folder is one of another machine, or what the sender claims. */
  readonly sent?: SentBy;
  readonly declaredTaskType?: string;
  /** Of the whole session, when no message carries its own. */
  readonly declaredUsage?: Usage;
  readonly declaredCostUsd?: number;
  /** The declared usage is a running total over all requests: it stands where the messages carry less. */
  readonly declaredIsTotal?: true;
  /** Only its end was printed: what it did before and what was said to it is not there. */
  readonly endOnly?: true;
  readonly runs: readonly AgentRunFacts[];
  /** The other files of a session that was read from several together. */
  readonly files?: readonly FilePart[];
  /** Absent: it wrote no line that could be seen. */
  readonly written?: WrittenFacts;
  /** Entries on branches that were left again: counted apart, part of no run. */
  readonly abandoned: { readonly entries: number; readonly usage: Usage };
};

export type SentBy = {
  /** The project of the token; absent: the token is for all projects. */
  readonly project?: string;
};

/** What happened to the lines of a file. */
export type FileReading = {
  readonly path: string;
  /** Where the file really is, when its path is a relative one or leads over a link. */
  readonly place?: string;
  readonly lines: number;
  /** Reason → how many lines could not be used, and the first of them. */
  readonly skipped: Readonly<Record<string, { readonly count: number; readonly firstLine: number }>>;
  /** Record types nobody knew: counted, never fatal. */
  readonly unknownRecords: Readonly<Record<string, number>>;
};
