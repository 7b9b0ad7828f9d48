import type { AgentRunFacts, ArtifactFacts } from '../evidence.ts';
import type { TaskType } from '../profiles/task-type.ts';
import { isTextRecorded, NO_TEXT } from '../unobservable.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import type { Reading, Signal } from './signal.ts';

/** A research answer of at least this length is a product. A question may have a shorter one. */
const SUBSTANTIVE_ANSWER = 400;

/** Reported only when the user did not ask for it. */
export const DISCARDED = 'it discarded all its changes';

export const artifactProduced: Signal = {
  id: 'artifact-produced',
  title: 'Artifact produced',
  category: 'outcome',
  weight: SIGNAL_WEIGHTS.outcome['artifact-produced'],
  how: `1 when a file, commit, pull request, message, cron job, issue or record was made, or a change succeeded. 0 when every attempt failed, when it discarded its own result without being asked (stash drop, reset, checkout, restore), or when coding, research or discovery made nothing. Unmeasured for other types that attempted nothing, when all its changes were rejected or stopped, while it may continue, and for research whose answer the source does not record. For research the product is the final answer: any answer except filler to a question or a request to research, explain or plan, if the run did not break off; otherwise one of ${SUBSTANTIVE_ANSWER} characters.`,
  read: (run, { taskType }) => {
    if (run.discarded !== undefined) {
      return { measured: true, value: 0, because: DISCARDED, lines: [run.discarded.line] };
    }
    const made = run.artifacts.filter((one) => one.made > 0 && counts(one, taskType));
    if (made.length > 0) {
      return yes(
        `it made ${made.map((one) => `${one.made} × ${one.artifact}`).join(', ')}`,
        made.flatMap((one) => one.lines).slice(0, 8),
      );
    }
    const { changesAttempted, changesFailed } = run;
    if (changesAttempted > changesFailed) {
      return yes(`${changesAttempted - changesFailed} of ${changesAttempted} changes succeeded`, []);
    }
    if (changesAttempted > 0) return no(allFailed(changesAttempted));
    const failed = run.artifacts.filter((one) => one.failed > 0 && counts(one, taskType));
    if (failed.length > 0)
      return no(`every attempt at a ${failed.map((one) => one.artifact).join(', ')} failed`);
    return attemptedNothing(run, taskType);
  },
};

export function allFailed(attempted: number): string {
  return attempted === 1 ? 'the only attempted change failed' : `all ${attempted} attempted changes failed`;
}

/** A delivered answer is a product only for task types that require one. Elsewhere every session ends with one. */
function counts({ artifact }: ArtifactFacts, taskType: TaskType): boolean {
  return artifact !== 'answer' || demandsProduct(taskType);
}

/** Chat, operations and heartbeats may end without a product. */
export function demandsProduct(taskType: TaskType): boolean {
  return taskType === 'coding' || taskType === 'research' || taskType === 'discovery';
}

function attemptedNothing(run: AgentRunFacts, taskType: TaskType): Reading {
  if (taskType === 'research') {
    if (!isTextRecorded(run)) return { measured: false, reason: NO_TEXT };
    const isLong = run.finalReplyChars >= SUBSTANTIVE_ANSWER;
    if (run.end === 'open' && !isLong) return { measured: false, reason: 'it may still be in progress' };
    const answered = isAnswer(run) && (isLong || (!BROKEN_OFF.has(run.end) && answersQuestion(run)));
    const said = `its final answer has ${run.finalReplyChars} characters`;
    const line = run.finalReplyLine === undefined ? [] : [run.finalReplyLine];
    return answered ? yes(said, line) : no(`${said}, under ${SUBSTANTIVE_ANSWER}, and nothing else was made`);
  }
  if (run.end === 'open') return { measured: false, reason: 'it may still be in progress' };
  const stopped = whyStopped(run);
  if (stopped !== undefined) return { measured: false, reason: stopped };
  if (taskType === 'coding' || taskType === 'discovery') return no('nothing was made');
  return { measured: false, reason: `nothing was attempted, and ${taskType} does not demand a product` };
}

/** Changes that the user rejected or stopped are neither attempts nor failures. Undefined: there were none. */
export function whyStopped({ changesDenied = 0, end, interrupts }: AgentRunFacts): string | undefined {
  if (changesDenied > 0) return 'its changes were rejected';
  return end === 'aborted' && interrupts > 0 ? 'the user stopped it before it changed anything' : undefined;
}

/** "There is nothing" answers the question whether there is something. */
function isAnswer({ finalReply }: AgentRunFacts): boolean {
  return finalReply === 'text' || finalReply === 'nothing-to-report';
}

/** Text before an abort was not yet the answer. */
const BROKEN_OFF: ReadonlySet<AgentRunFacts['end']> = new Set([
  'error',
  'aborted',
  'timeout',
  'limit',
  'cut-off',
]);

/** A plan is often shown by a tool, and the last message only refers to it. */
const ASKING = ['question', 'explain-request', 'plan-request', 'research-words'] as const;

/** Length does not measure the quality of an answer, unless it is filler. */
function answersQuestion(run: AgentRunFacts): boolean {
  const asked = ASKING.some((trait) => run.requestTraits.includes(trait));
  return asked && run.outputChars > run.fillerChars;
}

function yes(because: string, lines: readonly number[]): Reading {
  return { measured: true, value: 1, because, lines };
}

function no(because: string): Reading {
  return { measured: true, value: 0, because, lines: [] };
}
