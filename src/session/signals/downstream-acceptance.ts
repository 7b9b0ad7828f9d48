import type { AgentRunFacts } from '../evidence.ts';
import { acceptanceInRepository } from '../outcomes/readings.ts';
import { demandsProduct } from './artifact-produced.ts';
import type { Signal } from './signal.ts';
import { within } from './state-changed.ts';

export const downstreamAcceptance: Signal = {
  id: 'downstream-acceptance',
  title: 'Downstream acceptance',
  category: 'outcome',
  weight: 0.3,
  how: 'What became of the work: the joined outcome where one is given, else the share of its lines that stayed on the default branch (after 30, 7 or 1 days, the longest that can be told; 0 when reverted), else what the transcript shows (PR approved or merged, item marked done, thanks or rejection). Thanks before the last file or record was made, or in a run that changed nothing and need not, accept no work. Never a guess: otherwise unmeasured.',
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
    if (inRepository?.measured || (inRepository !== undefined && acceptance === undefined))
      return inRepository;
    if (acceptance === undefined) {
      return { measured: false, reason: 'nothing shows whether anybody accepted the work' };
    }
    const { value, what, line } = acceptance;
    if (value > 0 && madeAfter(run, line)) {
      return { measured: false, reason: 'it went on working after the person was content' };
    }
    if (value > 0 && !demandsProduct(taskType) && changedNothing(run)) {
      return {
        measured: false,
        reason: `nothing was changed that could be accepted, and ${taskType} need not`,
      };
    }
    return { measured: true, value: within(value), because: `the transcript shows: ${what}`, lines: [line] };
  },
};

/** Files and records only: "commit it" and "open the PR" are words of acceptance, and what they ask for comes after. */
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
