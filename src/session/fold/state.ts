/**
 * The state of the fold between two events: plain JSON, bounded, without text. A session of half a million entries
 * needs only counters, the open calls and short hashes of recent records.
 */
import type { ArtifactKind, EndReason, Trigger, Usage } from '../event.ts';
import type {
  AgentRunFacts,
  CheckKind,
  CorrectionKind,
  ModelFacts,
  RiskKind,
  ToolKind,
} from '../evidence.ts';
import type { EvidencePhrase } from './effects.ts';
import type { Claim, HandsOver } from './last-message.ts';
import type { PendingChange, WrittenState } from './line-fingerprints.ts';

export const MAX_OPEN_CALLS = 128;
export const MAX_SETTLED_CALLS = 64;
export const MAX_MESSAGES = 256;
export const MAX_SPAWNS = 256;
export const MAX_FAILING = 32;
export const MAX_MODELS = 16;
/** Beyond this many runs, one of the same trigger continues instead of a new one. */
export const MAX_RUNS = 400;

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
  /** The first time that the transcript states for the session: its start when no entry has a time. */
  firstAt?: number;
  declaredCostUsd?: number;
  /** In order; the last one is current. */
  runs: RunState[];
  /** Oldest first. */
  openCalls: OpenCall[];
  /** Hashes of calls with a result, so that a duplicate record is not a second call. */
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

type Draft<T> = T extends readonly (infer Each)[]
  ? Draft<Each>[]
  : T extends object
    ? { -readonly [K in keyof T]: Draft<T[K]> }
    : T;

/** `costUsd`: total of the messages that state their cost; `unpriced`: the messages that state none. */
export type ModelState = Draft<ModelFacts> & Required<Pick<Draft<ModelFacts>, 'costUsd' | 'unpriced'>>;

/** What a message added to its run, so that its next record can replace it. */
export type MessageState = {
  run: number;
  model: string;
  /** `elsewhere`: included in the tokens of other messages. */
  usage: Usage | 'elsewhere' | null;
  /** The usage covers several requests. */
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
  /** Hash of tool and target. */
  target: number;
  /** Hashes of its files and addresses, whatever the tool; undefined until computed from `held`. */
  objects: number[] | undefined;
  /** What it does to files on success; undefined until computed from `held`. */
  writes: PendingChange[] | undefined;
  /** Its tool and input, until the result arrives or the state is saved. */
  held: { tool: string; input: unknown } | undefined;
  /** Calls that are sent together share it. */
  attempt: number;
  kind: ToolKind;
  /** Made after a failure on the same target. */
  retry: boolean;
  /** Continues in the background. */
  running: boolean;
  effects: Effect[];
  /** `writes` comes from the format itself. */
  isExact: boolean;
};

/** What a call changes when it succeeds. */
export type Effect =
  | { does: 'make'; artifact: ArtifactKind }
  | { does: 'change' }
  | CheckEffect
  /** A file was changed: code, or text that needs no check. `file`: hash of its name. */
  | { does: 'touch'; code: boolean; file?: number }
  | { does: 'state'; what: EvidencePhrase; final: boolean }
  /** `files`: hashes of the names of discarded or deleted files; absent: everything uncommitted. */
  | { does: 'risk'; risk: RiskKind; files?: number[]; stash?: true }
  | { does: 'stash'; puts: 'away' | 'back' }
  /** Its exit code is an answer (`grep`, `diff`, `test`): 1 is not a failure. */
  | { does: 'answer' };

/** A command that could have failed because of the work. */
export type CheckEffect = {
  does: 'check';
  kind: CheckKind;
  /** Its exit code is not that of the call. */
  hidden?: true | undefined;
  /** Only a part of the output is shown; `failures`: the lines about failures. */
  filtered?: true | 'failures' | undefined;
  /** More commands follow in the line if it passes. */
  followed?: true | undefined;
  /** It waits for a running check. */
  waits?: true | undefined;
  /** The output may contain its exit code. */
  printsExitCode?: true | undefined;
  /** Hash of the name of the program that it builds. */
  builds?: number;
  /** Hash of the name of the file that is run. */
  file?: number;
  /** Hashes of the files of which a quoted program may run one. */
  files?: number[];
};

type WorkState = {
  codeChanges: number;
  /** The last line at which a file or record changed, and code. */
  lastChangeLine: number;
  lastCodeLine: number;
  /** Hashes of the names of changed files, newest last. */
  files: number[];
  /** Whether the last change of code was committed or pushed. */
  out: 'committed' | 'pushed' | undefined;
  /** The last check since the last change of code. */
  check: { kind: CheckKind; passed: boolean; what: EvidencePhrase; line: number } | undefined;
  impossible: { kind: CheckKind; line: number } | undefined;
  /** Hashes of the names of changed files that are uncommitted, and of those that are stashed. */
  uncommitted: number[];
  stashed: number[];
  commits: number;
  discardedAt: number;
};

/** The last check of a kind in the run, whatever changed since. `passed` undefined: unknown. */
type LastCheck = { line: number; passed: boolean | undefined };

/** The changes for the last request: attempted, made, and rejected. */
type RequestState = {
  line: number;
  /** It asks for a change of code. */
  code?: true | undefined;
  /** Calls since then that do more than read. */
  acted: number;
  tried: number;
  made: number;
  failed: number;
  denied: number;
  answered: boolean;
};

/** The agent's own to-do list: hashes of its steps, of the pending ones, and of those dropped before they began. */
export type PlanState = { names: number[]; pending: number[]; dropped: number[]; droppedLine: number };

/** A target whose last call failed. */
export type Failing = {
  target: number;
  objects: number[];
  /** The attempt that failed last. */
  attempt: number;
  times: number;
  line: number;
  record: boolean;
};

export type FoundEvidence = { value: number; what: EvidencePhrase; line: number };

/** The last event that matters for how a run ended. */
export type Last = 'nothing' | 'user' | 'text' | 'call' | 'result' | 'denied' | 'done' | EndReason;

/** What `facts.ts` derives from `seen` and `live`. */
type DerivedFacts =
  | 'file'
  | 'end'
  | 'endLine'
  | 'work'
  | 'handsOver'
  | 'stateChange'
  | 'discarded'
  | 'unmet'
  | 'claim'
  | 'risks';

/**
 * A run in progress: its facts so far, and what only the fold needs. Every field exists from the start: an object that
 * gains and loses fields is many times slower.
 */
export type RunState = Draft<Omit<AgentRunFacts, DerivedFacts | 'models'>> & {
  models: ModelState[];
  correctedBy: Partial<Record<CorrectionKind, number>>;
  seen: SeenState;
  /** Only while the run is in progress. */
  live: LiveState | undefined;
};

type SeenState = {
  /** Calls that failed after another call of the same attempt had failed. */
  failedInSameAttempt: number;
  longestRepeatLine: number;
  /** Sub-agents by the calls of spawning tools, for formats that report none. */
  spawnCalls: { made: number; completed: number; failed: number };
  /** Artifacts that the format states. Often the calls show the same ones, so the larger number counts. */
  stated: Partial<Record<ArtifactKind, { made: number; failed: number }>>;
  finalReplyKey: number;
  /** Record changes that still fail. */
  recordsFailing: number;
  stateChange: (FoundEvidence & { rank: number }) | undefined;
  work: WorkState;
  lastChecks: Partial<Record<CheckKind, LastCheck>>;
  risks: { kind: RiskKind; line: number; all?: true }[];
  /** Tests added minus tests removed. */
  testsAdded: number;
  assertsAdded: number;
  request: RequestState;
  plan: PlanState;
  /** What its last message claims. */
  claims: Claim[];
  /** Its last message leaves something to the user. */
  handsOver: HandsOver | undefined;
  /** The last result was a failure. */
  lastFailed: boolean;
  handoff: boolean;
  end: { reason: EndReason; line: number } | undefined;
  last: Last;
  lastMainLine: number;
};

/** Text not evaluated yet; never saved. */
type UnreadText = {
  text: string;
  refused: boolean;
  scheduled: boolean;
  /** An earlier record of the same message exists. */
  joins: boolean;
  /** The user takes over the rest, so the message cannot leave work to them. */
  takenOver: boolean;
  /** A call followed it. */
  called: boolean;
};

export type LiveState = {
  failing: Failing[];
  /** The last attempt, and whether new calls still belong to it. */
  attempt: number;
  sending: boolean;
  /** The last attempt in which a call failed; 0: none. */
  failedIn: number;
  repeatOf: number;
  repeats: number;
  /** Sketches of the user's last requests, newest last. */
  sketches: number[][];
  /** Hash of the words of the user's last message, in order; 0 when they are too few. */
  lastWords: number;
  /** The agent has responded since the user's last message. */
  answered: boolean;
  /** The records of the last message, evaluated on demand: nearly every message is followed by another. */
  unread: UnreadText[];
  /** The agent's last message was a question, so that "no" is an answer. */
  asked: boolean;
  /** The agent's last message declined something, so that insisting is not a correction. */
  declined: boolean;
  /** The agent's last message asked to see the output. */
  awaitsReport: boolean;
  /** The user's last message, which the agent's reply may turn into a correction. */
  admittable: { line: number; how: 'only fault' | 'yes' } | undefined;
  /** A doubt or statement about the work, and the files that were changed before it. */
  questioned: { line: number; files: number[] } | undefined;
  /** The last turn was a correction, and nothing followed yet. */
  correctedLast: number;
  /** Line of an interruption while the agent worked, without a user message since. */
  interruptedAt: number;
  /** Line of a call that the user rejected without a comment, while the agent has not continued. */
  deniedAt: number;
  /** The line of the user's last message, and whether the user wants to run and test themselves. */
  lastUserLine: number;
  userTakesOver: boolean;
  /** Risky actions that the user's last message asks for, and whether it is about a failure. */
  allowed: RiskKind[];
  aboutFailure: boolean;
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
    tools: {
      calls: 0,
      succeeded: 0,
      failed: 0,
      denied: 0,
      unknown: 0,
      firstAttemptSuccesses: 0,
      failedLines: [],
      deniedLines: [],
    },
    toolKinds: {},
    loops: { recovered: 0, persistent: 0, longestRepeat: 0, lines: [], persistentLine: undefined },
    spawned: 0,
    spawnsCompleted: 0,
    spawnsFailed: 0,
    compactions: 0,
    compactionLines: [],
    corrections: 0,
    correctedBy: {},
    correctionLines: [],
    sentBack: undefined,
    interrupts: 0,
    interruptLines: [],
    requests: 0,
    thanks: 0,
    scope: undefined,
    outputChars: 0,
    callChars: 0,
    fillerChars: 0,
    finalReply: 'empty',
    finalReplyChars: 0,
    finalReplyLine: undefined,
    repliesWithoutText: 0,
    requestTraits: [],
    requestHash: undefined,
    artifacts: [],
    changesAttempted: 0,
    idleChanges: 0,
    changesFailed: 0,
    changesDenied: undefined,
    inGroup: undefined,
    checks: { passed: 0, failed: 0, impossible: 0, kinds: undefined },
    gaveUp: undefined,
    promised: undefined,
    acceptance: undefined,
    seen: {
      failedInSameAttempt: 0,
      longestRepeatLine: 0,
      spawnCalls: { made: 0, completed: 0, failed: 0 },
      stated: {},
      finalReplyKey: 0,
      recordsFailing: 0,
      stateChange: undefined,
      work: newWork(),
      lastChecks: {},
      risks: [],
      testsAdded: 0,
      assertsAdded: 0,
      request: {
        line: 0,
        code: undefined,
        acted: 0,
        tried: 0,
        made: 0,
        failed: 0,
        denied: 0,
        answered: true,
      },
      plan: { names: [], pending: [], dropped: [], droppedLine: 0 },
      claims: [],
      handsOver: undefined,
      lastFailed: false,
      handoff: false,
      end: undefined,
      last: 'nothing',
      lastMainLine: line,
    },
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
    impossible: undefined,
    uncommitted: [],
    stashed: [],
    commits: 0,
    discardedAt: 0,
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
    admittable: undefined,
    questioned: undefined,
    correctedLast: 0,
    interruptedAt: 0,
    deniedAt: 0,
    lastUserLine: 0,
    userTakesOver: false,
    allowed: [],
    aboutFailure: false,
  };
}

/** Adds a line to pointers that stay sorted and bounded. */
export function point(lines: number[], line: number, most: number): void {
  if (lines.length < most && lines[lines.length - 1] !== line) lines.push(line);
}
