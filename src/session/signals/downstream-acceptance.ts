import type { AgentRunFacts } from '../evidence.ts';
import { acceptanceInRepository } from '../outcomes/readings.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import { demandsProduct, whyStopped } from './artifact-produced.ts';
import type { Reading, Signal } from './signal.ts';
import { within } from './state-changed.ts';

export const downstreamAcceptance: Signal = {
  id: 'downstream-acceptance',
  title: 'Downstream acceptance',
  category: 'outcome',
  weight: SIGNAL_WEIGHTS.outcome['downstream-acceptance'],
  how: 'The joined outcome if there is one, else the share of its lines that stayed on the default branch (after 30, 7 or 1 days, the longest measurable; 0 when reverted). Else what the transcript shows: PR approved or merged, item marked done, thanks or rejection. Thanks after a correction accept only the end: the mean of both. Else corrections of delivered work: 0.5 after one, 0.2 after more. Thanks before the last file or record was made, or in a run that changed nothing and need not, do not count. Without complaints and without acceptance it is unmeasured.',
  read: (run, { outcome, taskType, work }) => {
    if (outcome !== undefined) {
      return {
        measured: true,
        value: within(outcome),
        because: `the joined outcome is ${outcome}`,
        lines: [],
      };
    }
    const { acceptance } = run;
    const inRepository = acceptanceInRepository(run, work);
    if (inRepository?.measured) return inRepository;
    if (acceptance === undefined) {
      const unknown = { measured: false, reason: 'no acceptance or rejection was seen' } as const;
      return sentBack(run) ?? inRepository ?? unknown;
    }
    const stopped = changedNothing(run) ? whyStopped(run) : undefined;
    if (stopped !== undefined) return { measured: false, reason: stopped };
    const { value, what, line } = acceptance;
    if (value > 0 && madeAfter(run, line)) {
      return sentBack(run) ?? { measured: false, reason: 'it continued to work after the user accepted' };
    }
    if (value > 0 && !demandsProduct(taskType) && changedNothing(run)) {
      return {
        measured: false,
        reason: `nothing was changed that could be accepted, and ${taskType} need not`,
      };
    }
    const before = value > 0 ? sentBack(run) : undefined;
    if (before?.measured) {
      const because = `the transcript shows: ${what}, after ${before.because}`;
      return { measured: true, value: (within(value) + before.value) / 2, because, lines: [line] };
    }
    return { measured: true, value: within(value), because: `the transcript shows: ${what}`, lines: [line] };
  },
};

/** Uses the scale of corrections: corrected once, and corrected repeatedly. */
function sentBack({ sentBack: back }: AgentRunFacts): Reading | undefined {
  if (back === undefined) return undefined;
  const { times, line } = back;
  return times === 1
    ? { measured: true, value: 0.5, because: 'the user reported problems once', lines: [line] }
    : { measured: true, value: 0.2, because: `the user reported problems ${times} times`, lines: [line] };
}

/**
 * Files and records only: "commit it" and "open the PR" are words of acceptance, and the requested commit comes later.
 */
function madeAfter({ artifacts, work }: AgentRunFacts, line: number): boolean {
  if (work !== undefined) return work.lastChangeLine > line;
  return artifacts.some(
    ({ artifact, lines }) =>
      (artifact === 'file' || artifact === 'record') && lines.some((made) => made > line),
  );
}

function changedNothing({ changesAttempted, artifacts }: AgentRunFacts): boolean {
  return (
    changesAttempted === 0 && artifacts.every(({ artifact, made }) => made === 0 || artifact === 'answer')
  );
}
