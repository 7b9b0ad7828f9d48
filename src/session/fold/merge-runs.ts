/** Adds one finished run to another: counts add up, the later run says how it ended. */
import { MAX_POINTERS } from '../evidence.ts';
import { addLong, addTo, modelOf } from './models.ts';
import { widerScope } from './request-scope.ts';
import { point, type RunState } from './state.ts';

const COUNTS = [
  'turns',
  'replies',
  'calls',
  'succeeded',
  'failed',
  'denied',
  'firstAttempts',
  'recovered',
  'persistent',
  'spawned',
  'spawnsCompleted',
  'spawnsFailed',
  'spawnCalls',
  'spawnCallsCompleted',
  'spawnCallsFailed',
  'compactions',
  'corrections',
  'sentBack',
  'interrupts',
  'outputChars',
  'callChars',
  'requests',
  'thanks',
  'fillerChars',
  'repliesWithoutText',
  'changesAttempted',
  'idleChanges',
  'changesFailed',
  'recordsFailing',
] as const satisfies readonly (keyof RunState)[];
const LINES = ['failedLines', 'loopLines', 'compactionLines', 'correctionLines'] as const;

export function mergeRuns(into: RunState, run: RunState): void {
  for (const count of COUNTS) into[count] += run[count];
  for (const lines of LINES) for (const line of run[lines]) point(into[lines], line, MAX_POINTERS);
  for (const [kind, calls] of Object.entries(run.kinds) as [keyof typeof into.kinds, number][]) {
    into.kinds[kind] = (into.kinds[kind] ?? 0) + calls;
  }
  for (const [how, times] of Object.entries(run.correctedBy) as [keyof typeof into.correctedBy, number][]) {
    into.correctedBy[how] = (into.correctedBy[how] ?? 0) + times;
  }
  if (run.failedBeside !== undefined) into.failedBeside = (into.failedBeside ?? 0) + run.failedBeside;
  if (run.changesDenied !== undefined) into.changesDenied = (into.changesDenied ?? 0) + run.changesDenied;
  into.sentBackLine = Math.max(into.sentBackLine, run.sentBackLine);
  for (const one of run.models) mergeModel(into, one);
  for (const one of run.artifacts) {
    const same = into.artifacts.find(({ artifact }) => artifact === one.artifact);
    if (same === undefined) into.artifacts.push(one);
    else {
      same.made += one.made;
      same.failed += one.failed;
      same.statedMade += one.statedMade;
      same.statedFailed += one.statedFailed;
      for (const line of one.lines) point(same.lines, line, MAX_POINTERS);
    }
  }
  if (run.longestRepeat > into.longestRepeat) {
    into.longestRepeat = run.longestRepeat;
    into.longestRepeatLine = run.longestRepeatLine;
  }
  if (run.scope !== undefined) into.scope = widerScope(into.scope, run.scope);
  takeEnd(into, run);
}

function mergeModel(into: RunState, one: RunState['models'][number]): void {
  const same = modelOf(into, one.model, one.provider);
  same.messages += one.messages;
  same.withoutUsage += one.withoutUsage;
  same.costUsd += one.costUsd;
  addTo(same.usage, one.usage);
  same.unpriced.messages += one.unpriced.messages;
  same.unpriced.withoutUsage += one.unpriced.withoutUsage;
  addTo(same.unpriced.usage, one.unpriced.usage);
  for (const long of one.long ?? []) addLong(same, long);
}

function takeEnd(into: RunState, run: RunState): void {
  into.lastLine = Math.max(into.lastLine, run.lastLine);
  if (run.startedAt !== undefined) into.startedAt = Math.min(into.startedAt ?? run.startedAt, run.startedAt);
  if (run.endedAt !== undefined) into.endedAt = Math.max(into.endedAt ?? run.endedAt, run.endedAt);
  into.finalReplyChars = run.finalReplyChars;
  into.finalReplyLine = run.finalReplyLine;
  into.last = run.last;
  into.lastMainLine = run.lastMainLine;
  into.handoff = run.handoff;
  into.gaveUp = run.gaveUp;
  into.promised = run.promised;
  into.handsOver = run.handsOver;
  into.lastFailed = run.lastFailed;
  const codeChanges = into.work.codeChanges + run.work.codeChanges;
  into.work = { ...(run.work.lastChangeLine > 0 ? run.work : into.work), codeChanges };
  if (run.end === undefined) into.end = undefined;
  else into.end = run.end;
  if (run.stateChange !== undefined) into.stateChange = run.stateChange;
  if (run.acceptance !== undefined) into.acceptance = run.acceptance;
}
