/**
 * What the fold remembers between two events: plain JSON, bounded, without text. A session of half a million entries
 * keeps counters, the calls still open and short hashes of what was seen last.
 */
import type { ArtifactKind, EndReason, Trigger, Usage } from '../event.ts';
import type { CorrectionKind, FinalReply, RequestScope, RequestTrait, ToolKind } from '../evidence.ts';
import type { EvidencePhrase } from './evidence-phrases.ts';
import type { HandsOver } from './hands-over.ts';
import type { PendingChange, WrittenState } from './written.ts';

export const MAX_OPEN_CALLS = 128;
export const MAX_SETTLED_CALLS = 64;
export const MAX_MESSAGES = 256;
export const MAX_SPAWNS = 256;
export const MAX_FAILING = 32;
export const MAX_MODELS = 16;
/** Beyond this many runs, a finished one is added to an earlier one of the same trigger and final reply. */
export const MAX_RUNS = 500;

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type FoldState = {
  version: 1;
  source: string;
  sessionId?: string;
  parentSessionId?: string;
  agent?: string;
  project?: string;
  model?: string;
  provider?: string;
  trigger?: Trigger;
  taskType?: string;
  declaredUsage?: Mutable<Usage>;
  declaredIsTotal?: true;
  endOnly?: true;
  /** When the session was first told of: where nothing in it has a time, it began then. */
  toldAt?: number;
  declaredCostUsd?: number;
  /** In order; the last one is the one going on. */
  runs: RunState[];
  /** Oldest first. */
  openCalls: OpenCall[];
  /** Hashes of calls that have their result, so that a copied record is not a second call. */
  settledCalls: number[];
  /** Ring of message ids (hashed) with what their last record contributed. */
  messageKeys: number[];
  messages: MessageState[];
  messageNext: number;
  spawns: SpawnState[];
  /** Once a format reports sub-agents itself, calls of spawning tools no longer count as such. */
  sawSpawn: boolean;
  written: WrittenState;
  abandoned: { entries: number; usage: Mutable<Usage> };
};

export type ModelState = {
  model: string;
  provider?: string;
  messages: number;
  withoutUsage: number;
  usage: Mutable<Usage>;
  /** Of the messages that state their cost. */
  costUsd: number;
  /** The messages that state none. */
  unpriced: { messages: number; withoutUsage: number; usage: Mutable<Usage> };
  /** Of those that state none, the long requests. */
  long?: { over: number; messages: number; usage: Mutable<Usage> }[];
};

/** What a message added to its run, so that its next record can replace it. */
export type MessageState = {
  run: number;
  model: string;
  /** `elsewhere`: among the tokens of other messages. */
  usage: Usage | 'elsewhere' | null;
  /** The usage is that of several requests. */
  several?: true;
  costUsd: number | null;
};

type SpawnState = { id: number; run: number; ok: boolean | null };

export type OpenCall = {
  id: number;
  run: number;
  line: number;
  /** Hash of tool and input. */
  signature: number;
  /** Hash of tool and what it works on. */
  target: number;
  /** Hashes of the files and addresses it is about, whatever the tool; undefined while `input` can still tell. */
  objects: number[] | undefined;
  /** Only until it is needed or the state is saved: most calls succeed, and nobody asks what they are about. */
  input: unknown;
  /** Calls that are sent together have the same. */
  attempt: number;
  kind: ToolKind;
  /** Made after a failure on the same target. */
  retry: boolean;
  /** Went on in the background. */
  running: boolean;
  effects: Effect[];
  /** What it does to files when it succeeds. */
  writes: PendingChange[];
  /** The format itself has said what `writes` are. */
  isExact: boolean;
};

/** What a call does to the world when it succeeds. */
export type Effect =
  | { does: 'make'; artifact: ArtifactKind }
  | { does: 'change' }
  | CheckEffect
  /** A file was changed: code, or text that needs no check. `file`: hash of its name. */
  | { does: 'touch'; code: boolean; file?: number }
  | { does: 'state'; what: EvidencePhrase; final: boolean };

/** `checks`: several in one, such as a project's own `check` or `verify`. `hook`: what a commit sets going. */
export type CheckKind = 'tests' | 'checks' | 'types' | 'lint' | 'build' | 'run' | 'ci' | 'hook' | 'report';

/** Something that could have said no. */
export type CheckEffect = {
  does: 'check';
  kind: CheckKind;
  /** The exit code is not that of the call. */
  hidden?: true | undefined;
  /** Only a part of the output is shown; `failures`: the lines that tell of failures. */
  filtered?: true | 'failures' | undefined;
  /** More comes after it in the line, if it passes. */
  followed?: true | undefined;
  /** It waits for what is under way. */
  waits?: true | undefined;
  /** Its exit code may stand in the output. */
  told?: true | undefined;
  /** Hash of the name of the program that it builds. */
  builds?: number;
  /** Hash of the name of the file that is run. */
  file?: number;
  /** The same of files of which one may be run by a program in quotes. */
  files?: number[];
};

export type WorkState = {
  codeChanges: number;
  /** Where a file or record was changed last, and code. */
  lastChangeLine: number;
  lastCodeLine: number;
  /** Hashes of the names of changed files, the newest last. */
  files: number[];
  /** How far it got since code was changed last. */
  out: 'committed' | 'pushed' | undefined;
  /** The last check since code was changed last. */
  check: { kind: CheckKind; passed: boolean; what: EvidencePhrase; line: number } | undefined;
};

/** A target whose last call failed. */
export type Failing = {
  target: number;
  objects: number[];
  /** The attempt that failed last. */
  attempt: number;
  times: number;
  record: boolean;
};

export type ArtifactState = {
  artifact: ArtifactKind;
  /** As the calls show it. */
  made: number;
  failed: number;
  /** As the format states it: often the same ones again, so the larger number counts. */
  statedMade: number;
  statedFailed: number;
  lines: number[];
};

export type FoundEvidence = { value: number; what: EvidencePhrase; line: number };

/** The last thing that matters for how a run ended. */
export type Last = 'nothing' | 'user' | 'text' | 'call' | 'result' | 'denied' | 'done' | EndReason;

/** Every field is there from the beginning: an object that gains and loses fields is many times slower. */
export type RunState = {
  trigger: Trigger;
  firstLine: number;
  lastLine: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  turns: number;
  replies: number;
  models: ModelState[];
  calls: number;
  succeeded: number;
  failed: number;
  denied: number;
  firstAttempts: number;
  /** Calls that failed beside another one that was sent together with them and failed before. */
  failedBeside: number | undefined;
  failedLines: number[];
  kinds: Partial<Record<ToolKind, number>>;
  recovered: number;
  /** Loops that were given up, as far as already known; those still failing are in `failing`. */
  persistent: number;
  longestRepeat: number;
  longestRepeatLine: number;
  loopLines: number[];
  spawned: number;
  spawnsCompleted: number;
  spawnsFailed: number;
  /** The same three from calls of spawning tools, for formats that report no sub-agents. */
  spawnCalls: number;
  spawnCallsCompleted: number;
  spawnCallsFailed: number;
  compactions: number;
  compactionLines: number[];
  corrections: number;
  correctedBy: Partial<Record<CorrectionKind, number>>;
  correctionLines: number[];
  /** Of the corrections those of something that it had made before. */
  sentBack: number;
  sentBackLine: number;
  interrupts: number;
  outputChars: number;
  /** Written into calls. */
  callChars: number;
  /** Of the turns, those that ask for something new. */
  requests: number;
  /** Of the turns, those that only accept what was done. */
  thanks: number;
  scope: RequestScope | undefined;
  fillerChars: number;
  finalReply: FinalReply;
  finalReplyChars: number;
  finalReplyLine: number;
  finalReplyKey: number;
  repliesWithoutText: number;
  traits: RequestTrait[];
  artifacts: ArtifactState[];
  changesAttempted: number;
  idleChanges: number;
  changesFailed: number;
  /** Calls that would have changed something and were forbidden or stopped. */
  changesDenied: number | undefined;
  /** Record changes that still fail. */
  recordsFailing: number;
  stateChange: (FoundEvidence & { rank: number }) | undefined;
  acceptance: FoundEvidence | undefined;
  work: WorkState;
  /** Its last words say that it did not succeed. */
  gaveUp: boolean;
  /** Its last words only say what it would do. */
  promised: boolean;
  /** Its last words leave something to the person. */
  handsOver: HandsOver | undefined;
  /** The last result was a failure. */
  lastFailed: boolean;
  handoff: boolean;
  end: { reason: EndReason; line: number } | undefined;
  last: Last;
  lastMainLine: number;
  /** Only while the run goes on. */
  live: LiveState | undefined;
};

/** Text that was not judged yet; never saved. */
export type UnreadText = {
  text: string;
  refused: boolean;
  scheduled: boolean;
  /** A record of the same message came before it. */
  joins: boolean;
  /** The user waits for nothing that it may leave to them. */
  keeps: boolean;
  /** A call was made after it. */
  called: boolean;
};

export type LiveState = {
  failing: Failing[];
  /** The last attempt, and whether calls that come now are sent together with it. */
  attempt: number;
  sending: boolean;
  /** The last attempt in which a call failed; 0: none. */
  failedIn: number;
  repeatOf: number;
  repeats: number;
  /** Sketches of the person's last requests, newest last. */
  sketches: number[][];
  /** Hash of the words of the person's last message, in order; 0 when they are too few to say something. */
  lastWords: number;
  /** Something came from the agent since the person last spoke. */
  answered: boolean;
  /** The records of the last message, until somebody asks what it amounts to: nearly every message is followed by another. */
  unread: UnreadText[];
  /** The agent's last words were a question, so that "no" is an answer. */
  asked: boolean;
  /** The agent's last words declined something, so that insisting is no correction. */
  declined: boolean;
  /** The agent's last words asked to be shown what came out. */
  awaitsReport: boolean;
  /** The last turn was a correction that nothing has followed yet. */
  correctedLast: number;
  /** Line of an interruption while the agent worked, that nothing was said about yet. */
  interruptedAt: number;
  /** Line of a call that the person forbade without a word, while the agent has not gone on. */
  deniedAt: number;
  /** Where the person spoke last, and whether they keep runs and tests for themselves. */
  heardAt: number;
  keeps: boolean;
};

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function newRun(trigger: Trigger, line: number): RunState {
  return {
    trigger,
    firstLine: line,
    lastLine: line,
    startedAt: undefined,
    endedAt: undefined,
    turns: 0,
    replies: 0,
    models: [],
    calls: 0,
    succeeded: 0,
    failed: 0,
    denied: 0,
    firstAttempts: 0,
    failedBeside: undefined,
    failedLines: [],
    kinds: {},
    recovered: 0,
    persistent: 0,
    longestRepeat: 0,
    longestRepeatLine: 0,
    loopLines: [],
    spawned: 0,
    spawnsCompleted: 0,
    spawnsFailed: 0,
    spawnCalls: 0,
    spawnCallsCompleted: 0,
    spawnCallsFailed: 0,
    compactions: 0,
    compactionLines: [],
    corrections: 0,
    correctedBy: {},
    correctionLines: [],
    sentBack: 0,
    sentBackLine: 0,
    interrupts: 0,
    outputChars: 0,
    callChars: 0,
    requests: 0,
    thanks: 0,
    scope: undefined,
    fillerChars: 0,
    finalReply: 'empty',
    finalReplyChars: 0,
    finalReplyLine: 0,
    finalReplyKey: 0,
    repliesWithoutText: 0,
    traits: [],
    artifacts: [],
    changesAttempted: 0,
    idleChanges: 0,
    changesFailed: 0,
    changesDenied: undefined,
    recordsFailing: 0,
    stateChange: undefined,
    acceptance: undefined,
    work: newWork(),
    gaveUp: false,
    promised: false,
    handsOver: undefined,
    lastFailed: false,
    handoff: false,
    end: undefined,
    last: 'nothing',
    lastMainLine: line,
    live: newLive(),
  };
}

function newWork(): WorkState {
  return {
    codeChanges: 0,
    lastChangeLine: 0,
    lastCodeLine: 0,
    files: [],
    out: undefined,
    check: undefined,
  };
}

function newLive(): LiveState {
  return {
    failing: [],
    attempt: 0,
    sending: false,
    failedIn: 0,
    repeatOf: 0,
    repeats: 0,
    sketches: [],
    lastWords: 0,
    answered: false,
    unread: [],
    asked: false,
    declined: false,
    awaitsReport: false,
    correctedLast: 0,
    interruptedAt: 0,
    deniedAt: 0,
    heardAt: 0,
    keeps: false,
  };
}

/** Adds a line to pointers that are kept in order and few. */
export function point(lines: number[], line: number, most: number): void {
  if (lines.length < most && lines[lines.length - 1] !== line) lines.push(line);
}
