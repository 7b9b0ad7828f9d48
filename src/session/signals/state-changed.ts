import type { AgentRunFacts, Unmet } from '../evidence.ts';
import { stateInRepository } from '../outcomes/readings.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import { allFailed, DISCARDED, whyStopped } from './artifact-produced.ts';
import type { Reading, Signal } from './signal.ts';

/** Ends that leave a change half done. A stop by the user is not a failure, and an open run is not over. */
const BROKEN_ENDS: ReadonlySet<string> = new Set(['error', 'timeout', 'limit', 'cut-off', 'handoff']);

export const stateChanged: Signal = {
  id: 'state-changed',
  title: 'State changed',
  category: 'outcome',
  weight: SIGNAL_WEIGHTS.outcome['state-changed'],
  how: 'The first of these that applies. It discarded its own result, or a last request that was never acted on or whose changes were all rejected or failed: 0; planned tests that it removed from its to-do list and never wrote: 0.5; the project check before and after its commits: fixed or kept green 1, broke 0, still red 0.5; the outcome of the work in the repository (the share of its lines on the default branch, and half of the share that was only committed; nothing of it or reverted 0); a change left half done (it changed something, then refused, failed, admitted failure, or handed off, by a call or in words such as "please run the migration yourself"): 0; the joined outcome; a merge, a release or a closed issue: 1; for changed code the last check after the last change (tests, build, types, linter, CI, running what was changed; read from its output where a pipe hides the exit code): 1 when it passed, 0 when it failed, 0.5 when nothing checked the last change; a push or an opened pull request: 1; records: the share that succeeded. A change of documents or comments alone needs no check. 0 when all attempts failed and when coding or discovery changed nothing, unless its changes were rejected or stopped. While it goes on, missing evidence is unmeasured.',
  read: (run, { taskType, outcome, work, verification }) => {
    if (run.discarded !== undefined)
      return { measured: true, value: 0, because: DISCARDED, lines: [run.discarded.line] };
    const unmet = whyUnmet(run);
    if (unmet !== undefined) return unmet;
    // What happened later takes precedence over the transcript.
    const inRepository = stateInRepository(run, work, verification);
    if (inRepository !== undefined) return inRepository;
    const halfDone = whyHalfDone(run);
    if (halfDone !== undefined) {
      return { measured: true, value: 0, because: halfDone, lines: [run.endLine] };
    }
    if (run.stateChange !== undefined && (outcome === undefined || !isSuggestion(run.stateChange.what))) {
      const { value, what, line } = run.stateChange;
      const thin = isSuggestion(what) ? { thin: true as const } : {};
      return { measured: true, value: within(value), because: sayEvidence(what), lines: [line], ...thin };
    }
    if (outcome !== undefined) {
      return {
        measured: true,
        value: within(outcome),
        because: `the joined outcome is ${outcome}`,
        lines: [],
      };
    }
    if (run.changesAttempted > 0 && run.changesFailed >= run.changesAttempted) {
      return { measured: true, value: 0, because: allFailed(run.changesAttempted), lines: [] };
    }
    const changed = run.changesAttempted > 0 || run.artifacts.some((one) => one.made > 0);
    const stopped = changed ? undefined : whyStopped(run);
    if (stopped !== undefined) return { measured: false, reason: stopped };
    if (!changed && run.end !== 'open' && (taskType === 'coding' || taskType === 'discovery')) {
      return { measured: true, value: 0, because: 'nothing was changed', lines: [] };
    }
    return { measured: false, reason: whyUnknown(run, changed) };
  },
};

/** No check is only a gap in the evidence. */
const UNCHECKED = 'nothing checked the last change';

function isSuggestion(what: string): boolean {
  return what === UNCHECKED;
}

function sayEvidence(what: string): string {
  return what === UNCHECKED ? what : `the transcript shows: ${what}`;
}

function whyUnknown({ end, work }: AgentRunFacts, changed: boolean): string {
  if (!changed) return end === 'open' ? 'it may still be in progress' : 'no change was attempted';
  if (end === 'open') return 'it may still be in progress, and no check of the change was seen yet';
  return work !== undefined && work.codeChanges === 0
    ? 'only text was changed, which needs no check'
    : 'no check of the change was seen';
}

const UNMET: Readonly<Record<Unmet['why'], string>> = {
  'not acted on': 'it changed something, and the last request was never acted on: half done',
  rejected: 'every change for the last request was rejected: half done',
  failed: 'every change for the last request failed: half done',
  'tests dropped': 'it took the tests it had planned off its to-do list, and wrote none: half done',
};

/** Takes precedence over earlier passing checks. While the run goes on, the change may still come. */
function whyUnmet(run: AgentRunFacts): Reading | undefined {
  const { unmet, end } = run;
  if (unmet === undefined || end === 'open' || !hasChanged(run)) return undefined;
  const value = unmet.why === 'tests dropped' ? 0.5 : 0;
  return { measured: true, value, because: UNMET[unmet.why], lines: [unmet.line] };
}

const hasChanged = (run: AgentRunFacts): boolean =>
  run.changesAttempted > run.changesFailed ||
  run.artifacts.some((one) => one.made > 0 && one.artifact !== 'answer');

/** A session that changes something and then refuses, fails or hands off leaves it half done. */
function whyHalfDone(run: AgentRunFacts): string | undefined {
  if (!hasChanged(run)) return undefined;
  if (run.finalReply === 'refusal') return 'it changed something and then refused: half done';
  if (run.gaveUp === true) return 'it changed something, and says itself that it did not succeed: half done';
  if (run.handsOver === true) return 'it changed something and left the rest to the user: half done';
  if (!BROKEN_ENDS.has(run.end)) return undefined;
  const how = run.end === 'handoff' ? 'handed over' : `ended (${run.end})`;
  return `it changed something and then ${how}: half done`;
}

export function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}
