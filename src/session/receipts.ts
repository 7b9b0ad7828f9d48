/** The most important facts of a session, one sentence each, with the line that proves it. No transcript text. */
import type { AgentRunFacts, CheckKind, RiskKind, SessionFacts, UnsupportedClaim } from './evidence.ts';
import { isSilentAnswer } from './profiles/special-cases.ts';
import type { ScoredRun } from './score.ts';
import type { ScoredSession } from './score-session.ts';
import { isOnlyPromise } from './signals/ended-normally.ts';

/** The most serious first. */
export const RECEIPT_KINDS = [
  'destroyed work',
  'claim not supported',
  'unfinished request',
  'failing check',
  'weakened tests',
  'corrections',
  'rejected actions',
  'unverified change',
  'error loop',
  'wasted cost',
] as const;
type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/**
 * Which words of a line are quoted: the user's, a claim, the sentence that admits a failure, the first sentence, a
 * call, what failed, or what passed.
 */
export type Quoted = 'user' | UnsupportedClaim['about'] | 'failure' | 'reply' | 'call' | 'output' | 'passed';

export type Statement = {
  /** `other`: no evidence against the session. */
  readonly kind: ReceiptKind | 'other';
  readonly text: string;
  /** The shown statement quotes this line before "(line …)". */
  readonly line?: number;
  readonly quote?: Quoted;
  /** The location of that line, when it is not in the file of the session. */
  readonly at?: { readonly path: string; readonly line: number };
};

export type Receipt = Statement & { readonly kind: ReceiptKind };

export const isReceipt = <S extends Statement>(one: S): one is S & Receipt => one.kind !== 'other';

export type Seen = {
  /** The headline, and the other evidence against the session; never empty. */
  readonly statements: readonly [Statement, ...Statement[]];
  /** How much the session needs attention: 0, or by its receipts and its cost. */
  readonly attention: number;
};

/** Below this, a session needs no attention. */
const LEAST_ATTENTION = 2;
const MOST_STATEMENTS = 12;

/** `isUnsure`: listed as a receipt, but never the headline. */
type Weighed = Receipt & { readonly weight: number; readonly isUnsure?: boolean };

export function seenIn(session: ScoredSession, facts: SessionFacts): Seen {
  const found = [
    ...facts.runs.flatMap((run, i) => ofRun(run, session.runs[i]).map((one) => placeIn(one, run, facts))),
    ...ofSession(session),
  ].sort((a, b) => rankOf(a) - rankOf(b) || (a.line ?? 0) - (b.line ?? 0));
  const weight = found.reduce((sum, one) => sum + one.weight, 0);
  const shown = new Set<string>();
  const distinct = found.filter(
    ({ text }) => shown.size < MOST_STATEMENTS && !shown.has(text) && shown.add(text),
  );
  const [sure, unsure] = [false, true].map((isUnsure) =>
    distinct.filter((one) => (one.isUnsure === true) === isUnsure).map(plain),
  ) as [Statement[], Statement[]];
  const [first = nothingAgainst(session, facts), ...others] = sure;
  return {
    statements: [first, ...others, ...unsure],
    attention: weight < LEAST_ATTENTION ? 0 : weight * costFactor(session.costUsd),
  };
}

function plain({ weight: _, isUnsure: __, ...statement }: Weighed): Statement {
  return statement;
}

const rankOf = ({ kind }: Weighed): number => RECEIPT_KINDS.indexOf(kind);

/** A session of a hundred dollars needs twice the attention of a free one. */
function costFactor(costUsd = 0): number {
  return 1 + Math.min(1, Math.log10(1 + costUsd) / 2);
}

export function placeIn<S extends Statement>(one: S, run: AgentRunFacts, { files = [] }: SessionFacts): S {
  const { line } = one;
  if (line === undefined) return one;
  if (run.file !== undefined) return { ...one, at: { path: run.file, line } };
  const part = files.findLast(({ after }) => line > after);
  return part === undefined ? one : { ...one, at: { path: part.path, line: line - part.after } };
}

type Proof = { readonly line: number | undefined; readonly quote: Quoted | undefined };

function statement<K extends Statement['kind']>(kind: K, text: string, proof?: Proof) {
  const { line = 0, quote } = proof ?? {};
  if (line <= 0) return { kind, text };
  return { kind, text: `${text} (line ${line})`, line, ...(quote !== undefined && { quote }) };
}

function receipt(kind: ReceiptKind, weight: number, text: string, proof?: Proof): Weighed {
  return { ...statement(kind, text, proof), weight };
}

function ofRun(run: AgentRunFacts, scored: ScoredRun | undefined): Weighed[] {
  const { specialCase: special, specialCaseReason: reason = '' } = scored ?? {};
  if (special === 'empty') return [receipt('unfinished request', 4, capitalised(reason))];
  const found = [...ofRisks(run), ...ofEnd(run, scored), ...ofUser(run), ...ofCalls(run)];
  if (special === 'cron-burned') found.push(receipt('wasted cost', 3, capitalised(reason)));
  // An open session may still be checked and fixed.
  if (run.end === 'open') return found;
  return [...found, ...ofClaim(run), ...ofRequest(run), ...ofChecks(run, scored)];
}

const TESTS: Readonly<Partial<Record<RiskKind, string>>> = {
  'tests-removed': 'Removed tests',
  'tests-weakened': 'Skipped tests',
  'checks-disabled': 'Disabled a check',
  'hooks-skipped': 'Skipped the commit hooks',
};

/** The value of a restored file or an assertion is unknown, so those appear only in the list of risky actions. */
function ofRisks({ risks = [], discarded }: AgentRunFacts): Weighed[] {
  const found = risks.flatMap(({ kind, line, all }): Weighed[] => {
    const words = TESTS[kind];
    if (words !== undefined) return [receipt('weakened tests', 3, words, { line, quote: 'call' })];
    if (all !== true || line === discarded?.line) return [];
    if (kind === 'discarded-changes')
      return [receipt('destroyed work', 5, 'Discarded all uncommitted changes', { line, quote: 'call' })];
    return kind === 'deleted-files'
      ? [receipt('destroyed work', 5, 'Deleted all untracked files', { line, quote: 'call' })]
      : [];
  });
  if (discarded !== undefined)
    found.push(
      receipt('destroyed work', 8, 'Threw away all that it had changed', {
        line: discarded.line,
        quote: 'call',
      }),
    );
  return found;
}

const CHECK: Readonly<Record<CheckKind, string>> = {
  tests: 'test run',
  checks: 'run of the checks',
  types: 'type check',
  lint: 'lint run',
  build: 'build',
  run: 'run of what it changed',
  snippet: 'snippet that it ran to check',
  ci: 'CI run',
  hook: 'commit hook',
  report: 'check that a sub-agent reported',
};
const CLAIM: Readonly<Record<UnsupportedClaim['about'], { readonly says: string; readonly none: string }>> = {
  tests: { says: 'the tests pass', none: 'no passing test run was seen' },
  build: { says: 'it builds', none: 'no build was seen' },
  lint: { says: 'the linter passes', none: 'no lint run was seen' },
  done: { says: 'it is done', none: '' },
};

function ofClaim({ claim, spawned }: AgentRunFacts): Weighed[] {
  if (claim === undefined) return [];
  const { says, none } = CLAIM[claim.about];
  const said = receipt('claim not supported', claim.check === undefined ? 3 : 6, `Said that ${says}`, {
    line: claim.line,
    quote: claim.about,
  });
  // A sub-agent may have run the check.
  if (claim.check === undefined) return spawned > 0 ? [] : [{ ...said, text: `${said.text}; ${none}` }];
  const { kind, line } = claim.check;
  return [{ ...said, text: `${said.text}; the last ${CHECK[kind]} failed (line ${line})` }];
}

const UNMET = {
  'not acted on': 'Your last request was not acted on',
  rejected: 'Every change for your last request was rejected',
  failed: 'Every change for your last request failed',
  'tests dropped': 'Took the tests that it had planned off its list, and wrote none',
} as const;
const BROKEN: Readonly<Partial<Record<AgentRunFacts['end'], string>>> = {
  error: 'Ended in an error',
  timeout: 'Ran out of time',
  limit: 'Stopped at a limit of steps, tokens or cost',
  'cut-off': 'Breaks off',
};

/** Lines of an artifact that was never made are those of its failures. */
function lastFailedChange({ artifacts }: AgentRunFacts): number | undefined {
  return artifacts.findLast(({ made, failed }) => made === 0 && failed > 0)?.lines.at(-1);
}

function ofRequest(run: AgentRunFacts): Weighed[] {
  const { unmet, acceptance, changesAttempted, changesFailed } = run;
  const isAccepted = acceptance !== undefined && acceptance.value >= 0.5;
  if (unmet !== undefined && !(isAccepted && acceptance.line > unmet.line)) {
    const { why, line } = unmet;
    const [weight, quote] = why === 'tests dropped' ? [3, undefined] : [5, 'user' as const];
    return [receipt('unfinished request', weight, UNMET[why], { line, quote })];
  }
  if (changesAttempted > 0 && changesFailed >= changesAttempted)
    return [
      receipt('unfinished request', 4, 'Every change that it tried failed', {
        line: lastFailedChange(run),
        quote: 'output',
      }),
    ];
  return [];
}

function ofEnd(run: AgentRunFacts, scored: ScoredRun | undefined): Weighed[] {
  const { end, endLine, finalReplyLine = endLine } = run;
  const unfinished = (weight: number, text: string, line: number, quote: Quoted = 'reply') => [
    receipt('unfinished request', weight, text, { line, quote }),
  ];
  if (isSilentAnswer(run)) return unfinished(4, 'Was asked and stayed silent', finalReplyLine);
  // An agent that serves others and may not do what they ask has not failed.
  const tried = run.changesAttempted > 0 || scored?.taskType === 'coding';
  if (end === 'normal' && run.gaveUp === true && tried)
    return unfinished(4, 'Admits that it did not succeed', finalReplyLine, 'failure');
  if (end === 'normal' && isOnlyPromise(run))
    return unfinished(4, 'Said what it would do, and did nothing', finalReplyLine);
  const broken = BROKEN[end];
  return broken === undefined ? [] : unfinished(3, broken, endLine, end === 'cut-off' ? 'output' : 'reply');
}

function ofChecks(run: AgentRunFacts, scored: ScoredRun | undefined): Weighed[] {
  const { work, claim } = run;
  if (work?.check?.passed === false) {
    const { kind, line } = work.check;
    if (claim?.check?.line === line) return [];
    return [receipt('failing check', 4, `The last ${CHECK[kind]} failed`, { line, quote: 'output' })];
  }
  if (work === undefined || work.codeChanges === 0 || work.check !== undefined || scored?.verified !== 'no')
    return [];
  return work.impossible === undefined
    ? [
        receipt('unverified change', 1, 'Nothing checked the last change', {
          line: work.lastCodeLine,
          quote: 'call',
        }),
      ]
    : [
        receipt('unverified change', 1, 'The last change could not be checked', {
          line: work.impossible.line,
          quote: 'output',
        }),
      ];
}

const HOW = {
  said: 'You corrected it',
  failed: 'You reported a problem',
  again: 'You asked for the same again',
  admitted: 'You objected, and it agreed',
} as const;

function ofUser(run: AgentRunFacts): Weighed[] {
  const { corrections, correctedBy = {}, correctionLines, tools, interrupts, interruptLines } = run;
  const { denied = 0, interrupted = 0, ...others } = correctedBy;
  const said = corrections - denied - interrupted;
  const found: Weighed[] = [];
  // "You're right" may answer what customers say about themselves.
  const isClear = said > 1 || others.admitted !== 1 || hasDelivered(run);
  if (said > 0 && isClear) {
    const kinds = Object.entries(others).flatMap(([kind, n]) => (n > 0 ? [kind as keyof typeof HOW] : []));
    const [only] = kinds;
    // What customers say about their case, or themselves, reads like a correction.
    const isUnsure = !hasDelivered(run) && kinds.every((kind) => kind === 'said' || kind === 'admitted');
    const words = isUnsure
      ? 'You may have corrected it'
      : kinds.length === 1 && only !== undefined
        ? HOW[only]
        : kinds.length === 0
          ? HOW.said
          : 'You reported problems';
    const line = correctionLines.find((one) => !tools.deniedLines.includes(one)) ?? correctionLines[0];
    const weight = Math.min(8, (isUnsure && kinds.length > 0 ? 1 : 2) * said);
    const correction = receipt('corrections', weight, `${words}${times(said)}`, { line, quote: 'user' });
    found.push({ ...correction, isUnsure: isUnsure && said === 1 });
  }
  const rejected = tools.deniedLines.length;
  if (rejected > 0)
    found.push(
      receipt('rejected actions', Math.min(4, rejected), rejectedWords(run), {
        line: tools.deniedLines[0],
        quote: 'call',
      }),
    );
  if (interrupts > 0 && rejected === 0)
    found.push(
      receipt(
        'rejected actions',
        interrupted > 0 ? 2 : 0.5 * Math.min(3, interrupts),
        `${interrupted > 0 ? 'You stopped it with another request' : 'You stopped it'}${times(interrupts)}`,
        {
          line: interruptLines[0],
          quote: 'user',
        },
      ),
    );
  return found;
}

function rejectedWords({ tools: { deniedLines, denied } }: AgentRunFacts): string {
  const n = Math.max(deniedLines.length, deniedLines.length < MOST_LINES ? 0 : denied);
  return n === 1 ? 'You rejected a tool call' : `You rejected ${n} tool calls`;
}
const MOST_LINES = 8;

function ofCalls({ loops }: AgentRunFacts): Weighed[] {
  if (loops.persistent === 0) return [];
  return [
    receipt('error loop', 1.5, 'The same call kept failing', { line: loops.persistentLine, quote: 'output' }),
  ];
}

const UNVERIFIED_USD = 1;

/** Evidence from the repository and the cost of the whole session. */
function ofSession(session: ScoredSession): Weighed[] {
  const { work, verification, q = 0, tier, costUsd = 0, costIsLowerBound, verified, specialCase } = session;
  const found: Weighed[] = [];
  if (verification?.result === 'broke')
    found.push(receipt('failing check', 6, "Its commits broke the project's own check"));
  if (work?.reverted === true) found.push(receipt('rejected actions', 4, 'Its commit was reverted'));
  else if (work?.state === 'not-committed')
    found.push(receipt('unverified change', 2, 'None of its work was committed'));
  if (specialCase !== undefined) return found;
  const cost = `${costIsLowerBound ? 'at least ' : ''}$${costUsd.toFixed(2)}`;
  if (tier === 'failed')
    found.push(
      receipt(
        'wasted cost',
        2,
        `Scored ${q.toFixed(2)}${costUsd >= 0.01 ? ` for ${cost}` : ''}: ${whyLow(session)}`,
      ),
    );
  else if (tier === 'poor' && costUsd >= UNVERIFIED_USD && verified === 'no')
    found.push(
      receipt('wasted cost', Math.min(3, 1 + Math.log10(costUsd)), `Cost ${cost}, result unverified`),
    );
  return found;
}

/** Below this Q, the headline says what lowered it, even without evidence against the session. */
const EXPLAINED_BELOW = 0.75;

function nothingAgainst(session: ScoredSession, facts: SessionFacts): Statement {
  const { verified, q, work, verification, runs } = session;
  const other = (text: string, proof?: Proof): Statement => statement('other', text, proof);
  const run = facts.runs.at(-1);
  if (run === undefined) return other('No run is recorded');
  const say = (text: string, line?: number, quote: Quoted = 'reply') =>
    placeIn(other(text, { line, quote }), run, facts);
  const { check } = run.work ?? {};
  if (verification?.result === 'fixed') return other("Its commits fixed the project's own check");
  if (verified === 'yes') {
    if (work?.state === 'on-default') return other('Its work is on the default branch');
    if (check?.passed === true)
      return say(`${capitalised(check.what)} after the last change`, check.line, 'passed');
    if (run.acceptance !== undefined && run.acceptance.value >= 0.5)
      return say('You accepted it', run.acceptance.line, 'user');
    if (run.stateChange !== undefined && run.stateChange.value >= 0.5)
      return say(capitalised(run.stateChange.what), run.stateChange.line, 'call');
  }
  const reason = runs.at(-1)?.specialCaseReason;
  if (reason !== undefined) return say(capitalised(reason), run.finalReplyLine);
  if (run.end === 'open') return say('May still be in progress', run.lastLine);
  if (q !== undefined && q < EXPLAINED_BELOW) return other(capitalised(whyLow(session)));
  return say(run.end === 'handoff' ? 'Handed over' : 'Ended normally', run.finalReplyLine ?? run.endLine);
}

/** What lowered the score most, with its line. */
function whyLow(session: ScoredSession): string {
  const losses = session.runs
    .filter((run) => run.specialCase === undefined)
    .flatMap((run) => Object.values(run.categories).flatMap((category) => category.signals))
    .toSorted((a, b) => b.cost - a.cost);
  const [most] = losses;
  if (most === undefined || !most.reading.measured || most.cost === 0)
    return (
      session.runs.find((run) => run.specialCaseReason !== undefined)?.specialCaseReason ??
      'nothing stands out'
    );
  const [line] = most.reading.lines;
  return `${most.reading.because}${line === undefined ? '' : ` (line ${line})`}`;
}

/** Vague on purpose: the row has the exact count, and a headline should not depend on every single correction. */
function times(n: number): string {
  return n === 1 ? '' : n < SEVERAL ? ' more than once' : ' several times';
}
const SEVERAL = 4;

function hasDelivered({ artifacts }: AgentRunFacts): boolean {
  return artifacts.some(({ artifact, made }) => made > 0 && (artifact === 'file' || artifact === 'commit'));
}

function capitalised(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The statement with the quoted words of its line, if available. */
export function quoted({ text, line }: Statement, quote: string | undefined): string {
  return quote === undefined || line === undefined
    ? text
    : text.replace(` (line ${line})`, () => `: “${quote}” (line ${line})`);
}
