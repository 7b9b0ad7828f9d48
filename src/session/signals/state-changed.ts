import type { AgentRunFacts } from '../evidence.ts';
import { stateInRepository } from '../outcomes/readings.ts';
import type { Signal } from './signal.ts';

const BROKEN_ENDS: ReadonlySet<string> = new Set([
  'error',
  'aborted',
  'timeout',
  'limit',
  'cut-off',
  'handoff',
]);

export const stateChanged: Signal = {
  id: 'state-changed',
  title: 'State changed',
  category: 'outcome',
  weight: 0.4,
  how: 'What the repository says became of the work (on the default branch 1, only committed 0.5, nothing of it or reverted 0), else what the transcript shows of the outside world at the end (PR merged, issue closed, tests passing, record stored), else the joined outcome; 0 when all attempts failed, when something was changed and then refused, failed or handed off (half done), and when coding or discovery changed nothing. Never a guess: otherwise unmeasured.',
  read: (run, { taskType, outcome, work }) => {
    const inRepository = stateInRepository(run, work);
    if (inRepository !== undefined) return inRepository;
    const halfDone = whyHalfDone(run);
    if (halfDone !== undefined) {
      return { measured: true, value: 0, because: halfDone, lines: [run.endLine] };
    }
    if (run.stateChange !== undefined) {
      const { value, what, line } = run.stateChange;
      return {
        measured: true,
        value: within(value),
        because: `the transcript shows: ${what}`,
        lines: [line],
      };
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
      const because = `all ${run.changesAttempted} attempted changes failed`;
      return { measured: true, value: 0, because, lines: [] };
    }
    const changed = run.changesAttempted > 0 || run.artifacts.some((one) => one.made > 0);
    if (!changed && (taskType === 'coding' || taskType === 'discovery')) {
      return { measured: true, value: 0, because: 'nothing was changed', lines: [] };
    }
    return {
      measured: false,
      reason: changed ? 'nothing shows whether the change holds' : 'no change was attempted',
    };
  },
};

/** Changing something and then refusing, failing or handing off leaves it half done. */
function whyHalfDone(run: AgentRunFacts): string | undefined {
  const changed =
    run.changesAttempted > run.changesFailed ||
    run.artifacts.some((one) => one.made > 0 && one.artifact !== 'answer');
  if (!changed) return undefined;
  if (run.finalReply === 'refusal') return 'it changed something and then refused: half done';
  if (!BROKEN_ENDS.has(run.end)) return undefined;
  const how = run.end === 'handoff' ? 'handed over' : `ended (${run.end})`;
  return `it changed something and then ${how}: half done`;
}

export function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}
