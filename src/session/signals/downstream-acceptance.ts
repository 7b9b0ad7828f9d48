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
  how: 'What became of the work: the joined outcome where one is given, else the share of its lines that stayed on the default branch (after 30, 7 or 1 days, the longest that can be told; 0 when reverted), else what the transcript shows (PR approved or merged, item marked done, thanks or rejection; thanks after the work was sent back accept the end only: the mean of both), else whether the person had to send the work back: 0.5 when something that it had made was corrected once, 0.2 when more often. Thanks before the last file or record was made, or in a run that changed nothing and need not, accept no work. That nobody complained is no acceptance: then it is unmeasured.',
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
      const unknown = { measured: false, reason: 'nothing shows whether anybody accepted the work' } as const;
      return sentBack(run) ?? inRepository ?? unknown;
    }
    const stopped = changedNothing(run) ? whyStopped(run) : undefined;
    if (stopped !== undefined) return { measured: false, reason: stopped };
    const { value, what, line } = acceptance;
    if (value > 0 && madeAfter(run, line)) {
      return sentBack(run) ?? { measured: false, reason: 'it went on working after the person was content' };
    }
    if (value > 0 && !demandsProduct(taskType) && changedNothing(run)) {
      return {
        measured: false,
        reason: `nothing was changed that could be accepted, and ${taskType} need not`,
      };
    }
    const before = value > 0 ? sentBack(run) : undefined;
    if (before?.measured) {
      const because = `the transcript shows: ${what}, after ${before.because.replace('the person', 'they')}`;
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
    ? { measured: true, value: 0.5, because: 'the person sent the work back once', lines: [line] }
    : { measured: true, value: 0.2, because: `the person sent the work back ${times} times`, lines: [line] };
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
