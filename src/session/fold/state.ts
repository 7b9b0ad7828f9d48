/**
 * What the fold remembers between two events: plain JSON, bounded, without text. A session of half a million entries
 * keeps counters, the calls still open and short hashes of what was seen last.
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
/** Beyond this many runs, one of the same trigger goes on instead of a new one. */
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
  /** The first time that the transcript states about the session: it began then, where no entry has a time. */
  firstAt?: number;
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

type Draft<T> = T extends readonly (infer Each)[]
  ? Draft<Each>[]
  : T extends object
    ? { -readonly [K in keyof T]: Draft<T[K]> }
    : T;

/** `costUsd`: of the messages that state their cost; `unpriced`: the messages that state none. */
export type ModelState = Draft<ModelFacts> & Required<Pick<Draft<ModelFacts>, 'costUsd' | 'unpriced'>>;

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
  /** Hashes of the files and addresses it is about, whatever the tool; undefined while `held` can still tell. */
  objects: number[] | undefined;
  /** What it does to files when it succeeds; undefined while `held` can still tell. */
  writes: PendingChange[] | undefined;
  /** Its tool and input, until the result comes or the state is saved. */
  held: { tool: string; input: unknown } | undefined;
  /** Calls that are sent together have the same. */
  attempt: number;
  kind: ToolKind;
  /** Made after a failure on the same target. */
  retry: boolean;
  /** Went on in the background. */
  running: boolean;
  effects: Effect[];
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
  | { does: 'state'; what: EvidencePhrase; final: boolean }
  /** `files`: hashes of the names of those that it throws away or deletes; absent: all that is not committed. */
  | { does: 'risk'; risk: RiskKind; files?: number[]; stash?: true }
  | { does: 'stash'; puts: 'away' | 'back' }
  /** Its exit code is an answer (`grep`, `diff`, `test`): 1 is no failure. */
  | { does: 'answer' };

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

type WorkState = {
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
  impossible: { kind: CheckKind; line: number } | undefined;
  /** Hashes of the names of changed files that are not committed, and of those that are put away. */
  uncommitted: number[];
  stashed: number[];
  commits: number;
  discardedAt: number;
};

/** The last check of a kind in the run, whatever was changed since. `passed` undefined: nothing tells. */
type LastCheck = { line: number; passed: boolean | undefined };

/** What became of the last request: changes that were tried, made, and rejected since. */
type RequestState = {
  line: number;
  /** It asks for code to be changed. */
  code?: true | undefined;
  /** Calls since that do more than look. */
  acted: number;
  tried: number;
  made: number;
  failed: number;
  denied: number;
  answered: boolean;
};

/** The agent's own to-do list: hashes of its steps, of those not begun, and of those it took off unbegun. */
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

/** The last thing that matters for how a run ended. */
export type Last = 'nothing' | 'user' | 'text' | 'call' | 'result' | 'denied' | 'done' | EndReason;

/** What `facts.ts` tells from `seen` and `live`. */
type ToldAtTheEnd =
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
 * A run while it goes on: its facts so far, and what only the fold needs. Every field is there from the beginning: an object
 * that gains and loses fields is many times slower.
 */
export type RunState = Draft<Omit<AgentRunFacts, ToldAtTheEnd | 'models'>> & {
  models: ModelState[];
  correctedBy: Partial<Record<CorrectionKind, number>>;
  seen: SeenState;
  /** Only while the run goes on. */
  live: LiveState | undefined;
};

type SeenState = {
  /** Calls that failed after another one of the same attempt had failed. */
  failedInSameAttempt: number;
  longestRepeatLine: number;
  /** Sub-agents by the calls of spawning tools, for formats that report none. */
  spawnCalls: { made: number; completed: number; failed: number };
  /** Artifacts as the format states them: often the same ones as the calls show, so the larger number counts. */
  stated: Partial<Record<ArtifactKind, { made: number; failed: number }>>;
  finalReplyKey: number;
  /** Record changes that still fail. */
  recordsFailing: number;
  stateChange: (FoundEvidence & { rank: number }) | undefined;
  work: WorkState;
  lastChecks: Partial<Record<CheckKind, LastCheck>>;
  risks: { kind: RiskKind; line: number; all?: true }[];
  /** Tests that were added, less those that were taken out. */
  testsAdded: number;
  assertsAdded: number;
  request: RequestState;
  plan: PlanState;
  /** What its last words claim. */
  claims: Claim[];
  /** Its last words leave something to the user. */
  handsOver: HandsOver | undefined;
  /** The last result was a failure. */
  lastFailed: boolean;
  handoff: boolean;
  end: { reason: EndReason; line: number } | undefined;
  last: Last;
  lastMainLine: number;
};

/** Text that was not judged yet; never saved. */
type UnreadText = {
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
  /** The person's last message, which what the agent says to it may show to be a correction. */
  admittable: { line: number; how: 'only fault' | 'yes' } | undefined;
  /** A doubt or statement about the work, and the files that were changed before it. */
  questioned: { line: number; files: number[] } | undefined;
  /** The last turn was a correction that nothing has followed yet. */
  correctedLast: number;
  /** Line of an interruption while the agent worked, that nothing was said about yet. */
  interruptedAt: number;
  /** Line of a call that the person forbade without a word, while the agent has not gone on. */
  deniedAt: number;
  /** Where the person spoke last, and whether they keep runs and tests for themselves. */
  heardAt: number;
  keeps: boolean;
  /** Risky actions that the person's last message asks for, and whether it is about a failure. */
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
    heardAt: 0,
    keeps: false,
    allowed: [],
    aboutFailure: false,
  };
}

/** Adds a line to pointers that are kept in order and few. */
export function point(lines: number[], line: number, most: number): void {
  if (lines.length < most && lines[lines.length - 1] !== line) lines.push(line);
}
