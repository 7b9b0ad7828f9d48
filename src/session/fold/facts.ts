/** State → facts, without changing the state: a growing session can be scored at any time and go on. */
import type { EndReason } from '../event.ts';
import {
  type AgentRunFacts,
  type CheckKind,
  MAX_POINTERS,
  type ModelFacts,
  type SessionFacts,
  type Unmet,
  type UnsupportedClaim,
} from '../evidence.ts';
import { tokensOf } from '../usage.ts';
import { artifactsOf, RANK } from './effects.ts';
import type { Claim } from './last-message.ts';
import { writtenFacts } from './line-fingerprints.ts';
import { noteGivenUp } from './runs.ts';
import type { FoldState, FoundEvidence, ModelState, RunState } from './state.ts';

/** The shortest row of identical calls that is worth reporting. */
const WORTH_REPORTING = 3;

export function factsOf(
  state: FoldState,
  fallbackSessionId: string,
  asOf: number | undefined,
): SessionFacts | undefined {
  const declares = state.declaredUsage !== undefined || state.declaredCostUsd !== undefined;
  if (state.runs.length === 0 && !declares) return undefined;
  const written = writtenFacts(state.written);
  return {
    version: 1,
    source: state.source,
    sessionId: state.sessionId ?? fallbackSessionId,
    ...(state.parentSessionId === undefined ? {} : { parentSessionId: state.parentSessionId }),
    ...(state.agent === undefined ? {} : { agent: state.agent }),
    ...(state.project === undefined ? {} : { project: state.project }),
    ...(state.taskType === undefined ? {} : { declaredTaskType: state.taskType }),
    ...(state.declaredUsage === undefined ? {} : { declaredUsage: { ...state.declaredUsage } }),
    ...(state.declaredCostUsd === undefined ? {} : { declaredCostUsd: state.declaredCostUsd }),
    ...(state.declaredIsTotal === undefined ? {} : { declaredIsTotal: state.declaredIsTotal }),
    ...(state.endOnly === undefined ? {} : { endOnly: state.endOnly }),
    runs: state.runs.map((run, index) => runFacts(state, run, index, asOf)),
    ...(written === undefined ? {} : { written }),
    abandoned: { entries: state.abandoned.entries, usage: { ...state.abandoned.usage } },
  };
}

function runFacts(state: FoldState, run: RunState, index: number, asOf: number | undefined): AgentRunFacts {
  const { seen, live: _, ...facts } = run;
  const { tools } = run;
  const end = closed(endOf(run, isWaiting(state, run, index)), state, run, asOf);
  const artifacts = artifactsOf(run);
  const spawned = state.sawSpawn
    ? {}
    : {
        spawned: seen.spawnCalls.made,
        spawnsCompleted: seen.spawnCalls.completed,
        spawnsFailed: seen.spawnCalls.failed,
      };
  return structuredClone({
    ...facts,
    ...spawned,
    trigger: index === 0 && run.trigger === 'unknown' ? (state.trigger ?? 'unknown') : run.trigger,
    startedAt: run.startedAt ?? (index === 0 ? state.firstAt : undefined),
    models: namedModels(run.models).map(modelFacts),
    tools: {
      ...tools,
      unknown: tools.calls - tools.succeeded - tools.failed - tools.denied,
      failedAttempts: seen.failedInSameAttempt === 0 ? undefined : tools.failed - seen.failedInSameAttempt,
    },
    loops: loopsOf(run),
    correctedBy: run.corrections === 0 ? undefined : run.correctedBy,
    artifacts,
    work: workOf(run),
    ...shortfallsOf(run, end),
    handsOver: isHandedOver(run) ? true : undefined,
    stateChange: stateChangeOf(run, artifacts, end),
    acceptance: acceptanceOf(run),
    end,
    endLine: seen.end?.line ?? seen.lastMainLine,
  });
}

function modelFacts(model: ModelState): ModelFacts {
  const { unpriced } = model;
  const states = unpriced.messages < model.messages;
  return {
    model: model.model,
    ...(model.provider === undefined ? {} : { provider: model.provider }),
    messages: model.messages,
    usage: { ...model.usage },
    messagesWithoutUsage: unknownUsage(model),
    ...(states ? { costUsd: Math.max(0, model.costUsd) } : {}),
    ...(states && unpriced.messages > 0 && !isElsewhere(unpriced)
      ? {
          unpriced: {
            messages: unpriced.messages,
            messagesWithoutUsage: unknownUsage(unpriced),
            usage: { ...unpriced.usage },
          },
        }
      : {}),
    ...longRequests(model),
  };
}

/** Messages without a model whose tokens are counted elsewhere belong to the models counted there. */
function namedModels(models: readonly ModelState[]): readonly ModelState[] {
  if (!models.some(({ usage }) => tokensOf(usage) > 0)) return models;
  return models.filter((one) => one.model !== 'unknown' || !isElsewhere(one));
}

function longRequests({ long = [] }: ModelState): Pick<ModelFacts, 'long'> {
  const some = long.filter(({ messages }) => messages > 0);
  if (some.length === 0) return {};
  return { long: some.map((one) => ({ ...one, usage: { ...one.usage } })) };
}

/** When all tokens of these messages are on other records, so is the cost. */
function isElsewhere({ usage, messagesWithoutUsage }: ModelState['unpriced']): boolean {
  return messagesWithoutUsage === 0 && tokensOf(usage) === 0;
}

/** Tokens counted elsewhere are known only if something was counted at all. */
function unknownUsage({ usage, messages, messagesWithoutUsage }: ModelState['unpriced']): number {
  return tokensOf(usage) === 0 ? messages : messagesWithoutUsage;
}

function loopsOf(run: RunState): AgentRunFacts['loops'] {
  const { longestRepeatLine } = run.seen;
  const loops = { ...run.loops };
  noteGivenUp({ loops }, run.live?.failing ?? []);
  const lines = [...loops.lines];
  if (run.loops.longestRepeat >= WORTH_REPORTING && !lines.includes(longestRepeatLine))
    lines.push(longestRepeatLine);
  return {
    ...loops,
    lines: lines.sort((a, b) => a - b).slice(0, MAX_POINTERS),
  };
}

/** After this much silence, an agent is no longer working. */
export const SILENCE_MS = 24 * 60 * 60 * 1000;

/** After a successful step, how it ended is unknown. An unanswered request or call means that it broke off. */
function closed(end: EndReason, state: FoldState, run: RunState, asOf: number | undefined): EndReason {
  const { endedAt, seen } = run;
  const isOver = asOf !== undefined && endedAt !== undefined && asOf - endedAt > SILENCE_MS;
  if (end !== 'open' || !isOver) return end;
  const isDelivering = state.openCalls.some(
    ({ effects, line }) =>
      line === seen.lastMainLine &&
      effects.some(
        (one) => one.does === 'make' && (one.artifact === 'commit' || one.artifact === 'pull-request'),
      ),
  );
  return (seen.last === 'result' && !seen.lastFailed) || isDelivering ? 'unknown' : 'cut-off';
}

/** The runtime's end reason comes first. A hand-off is a more exact name for a normal end. */
function endOf(run: RunState, waiting: boolean): EndReason {
  const stated = run.seen.end?.reason;
  if (stated !== undefined && stated !== 'unknown')
    return stated === 'normal' && run.seen.handoff ? 'handoff' : stated;
  if (run.seen.handoff) return 'handoff';
  return inferredEnd(run, waiting);
}

/** Whether a call made with or after the last message still has no result. */
function isWaiting(state: FoldState, run: RunState, index: number): boolean {
  return state.openCalls.some(
    (one) => one.run === index && !one.running && one.line >= run.seen.lastMainLine,
  );
}

function inferredEnd(run: RunState, waiting: boolean): EndReason {
  switch (run.seen.last) {
    case 'text':
      return waiting ? 'open' : 'normal';
    case 'done':
      return 'normal';
    // The agent may still be working. If nothing came back, it may never have started.
    case 'user':
      // Thanks need no answer.
      if (run.acceptance?.line === run.seen.lastMainLine) return 'normal';
      return run.replies + run.tools.calls > 0 ? 'open' : 'cut-off';
    case 'call':
      return 'open';
    case 'result':
      return run.seen.lastFailed ? 'cut-off' : 'open';
    case 'denied':
      return 'aborted';
    case 'nothing':
      return 'unknown';
    default:
      return run.seen.last;
  }
}

function acceptanceOf(run: RunState): AgentRunFacts['acceptance'] {
  const line = run.live?.correctedLast ?? 0;
  if (line > 0) return { value: 0, what: 'correction left unanswered', line };
  return run.acceptance;
}

function workOf({ seen: { work } }: RunState): AgentRunFacts['work'] {
  const { codeChanges, lastChangeLine, lastCodeLine, check, impossible } = work;
  if (lastChangeLine === 0) return undefined;
  return {
    codeChanges,
    lastChangeLine,
    lastCodeLine: lastCodeLine === 0 ? undefined : lastCodeLine,
    check: check && { kind: check.kind, passed: check.passed, what: check.what, line: check.line },
    impossible,
  };
}

/** What was discarded, left undone, claimed without support, or risked. */
function shortfallsOf(
  run: RunState,
  end: EndReason,
): Pick<AgentRunFacts, 'discarded' | 'risks' | 'unmet' | 'claim'> {
  const { work, risks, testsAdded, assertsAdded } = run.seen;
  // Moved tests are not deleted, and rewritten assertions are not fewer.
  const kept = risks.filter(
    ({ kind }) =>
      (kind !== 'tests-removed' || testsAdded < 0) && (kind !== 'assertions-removed' || assertsAdded < 0),
  );
  return {
    discarded: work.discardedAt === 0 ? undefined : { line: work.discardedAt },
    risks: kept.length === 0 ? undefined : kept,
    unmet: unmetOf(run, end),
    claim: claimOf(run),
  };
}

/** A request is met when it was answered and at least one attempted change succeeded. */
function unmetOf(run: RunState, end: EndReason): Unmet | undefined {
  const { line, code, acted, tried, made, failed, denied, answered } = run.seen.request;
  if (line === 0 || end === 'handoff') return undefined;
  if (!answered) {
    // A user who stops the agent at once, or has the last word, needs no answer.
    const over = end === 'normal' || end === 'aborted';
    return run.replies + run.tools.calls > 0 && !over ? { why: 'not acted on', line } : undefined;
  }
  if (end === 'open') return undefined;
  if (tried > 0 && made === 0 && tried <= failed + denied)
    return { why: denied > 0 ? 'rejected' : 'failed', line };
  const isAsking =
    run.live?.asked === true || run.seen.handsOver !== undefined || run.finalReply === 'refusal';
  if (
    tried === 0 &&
    end === 'normal' &&
    (run.promised === true || (code === true && acted === 0 && !isAsking))
  )
    return { why: 'not acted on', line };
  const { plan, testsAdded } = run.seen;
  return plan.dropped.length > 0 && testsAdded <= 0
    ? { why: 'tests dropped', line: plan.droppedLine }
    : undefined;
}

const ABOUT: readonly Claim['about'][] = ['tests', 'build', 'lint', 'done'];

/** Kinds of checks that can support a claim. Without any of them, the claim is unsupported. */
const SUPPORTS: Readonly<Record<Claim['about'], readonly CheckKind[]>> = {
  tests: ['tests', 'checks', 'ci', 'report'],
  build: ['build', 'types', 'checks', 'ci', 'tests', 'run', 'snippet', 'report'],
  lint: ['lint', 'checks', 'ci', 'hook', 'report'],
  done: [],
};

function claimOf({ seen: { claims, lastChecks, work } }: RunState): UnsupportedClaim | undefined {
  // A claim about tests is more specific than "done".
  for (const { about, line } of claims.toSorted((a, b) => ABOUT.indexOf(a.about) - ABOUT.indexOf(b.about))) {
    if (about === 'done') {
      const { check } = work;
      if (check?.passed === false && check.line < line)
        return { about, line, check: { kind: check.kind, line: check.line } };
      continue;
    }
    const own = SUPPORTS[about].flatMap((kind) => {
      const last = lastChecks[kind];
      return last === undefined ? [] : [{ kind, ...last }];
    });
    const last = own.reduce<(typeof own)[number] | undefined>(
      (a, b) => (a === undefined || b.line > a.line ? b : a),
      undefined,
    );
    if (last === undefined) return { about, line };
    if (last.passed === false) return { about, line, check: { kind: last.kind, line: last.line } };
  }
  return undefined;
}

const FAILED_ENDS: ReadonlySet<EndReason> = new Set(['error', 'timeout', 'limit', 'handoff']);

/** A session that changes something and then refuses, fails or hands off leaves it half done. */
function stateChangeOf(
  run: RunState,
  artifacts: AgentRunFacts['artifacts'],
  end: EndReason,
): FoundEvidence | undefined {
  const made = artifacts.filter(
    (one) => one.made > 0 && one.artifact !== 'answer' && one.artifact !== 'message',
  );
  const known = run.seen.stateChange;
  if (known !== undefined && known.rank >= RANK.final) return evidence(known);
  if (made.length > 0 && isHalfDone(run, end)) {
    return { value: 0, what: 'left half done', line: run.seen.end?.line ?? run.seen.lastMainLine };
  }
  if (run.seen.work.codeChanges > 0) return checkedOf(run, end);
  const changed = made.length > 0 || run.changesAttempted > run.changesFailed;
  if (known !== undefined && changed && known.line >= run.seen.work.lastChangeLine) return evidence(known);
  const { check } = run.seen.work;
  if (check?.passed === true && run.seen.work.lastChangeLine === 0 && holdsUnchanged(run)) {
    return { value: 1, what: check.what, line: check.line };
  }
  return recordsOf(run, artifacts);
}

function isHalfDone(run: RunState, end: EndReason): boolean {
  return FAILED_ENDS.has(end) || run.finalReply === 'refusal' || run.gaveUp || isHandedOver(run);
}

/** Asking for a check that was already done, or is not needed, leaves nothing to the user. */
function isHandedOver({ seen: { handsOver, work } }: RunState): boolean {
  if (handsOver === 'check') return work.codeChanges > 0 && work.check?.passed !== true;
  return handsOver === 'work';
}

function evidence({ value, what, line }: FoundEvidence): FoundEvidence {
  return { value, what, line };
}

/** While the run goes on, a missing or failed check may still be made up for. */
function checkedOf({ seen: { work } }: RunState, end: EndReason): FoundEvidence | undefined {
  const { check, lastCodeLine } = work;
  if (check?.passed === true) return { value: 1, what: check.what, line: check.line };
  if (end === 'open') return undefined;
  if (check !== undefined) return { value: 0, what: check.what, line: check.line };
  return { value: 0.5, what: 'nothing checked the last change', line: lastCodeLine };
}

/**
 * Tests that pass at the end are evidence, unless code was requested and none was written: then they only show that
 * nothing broke. Failing tests say nothing about the work when nothing was changed.
 */
function holdsUnchanged(run: RunState): boolean {
  return !run.requestTraits.includes('code-request');
}

function recordsOf(run: RunState, artifacts: AgentRunFacts['artifacts']): FoundEvidence | undefined {
  const records = artifacts.find((one) => one.artifact === 'record');
  if (records === undefined) return undefined;
  const failing = run.seen.recordsFailing + (run.live?.failing.filter((one) => one.record).length ?? 0);
  const line = records.lines[records.lines.length - 1] ?? run.lastLine;
  if (records.made === 0) return { value: 0, what: 'record change failed', line };
  return { value: records.made / (records.made + failing), what: 'record changed', line };
}
