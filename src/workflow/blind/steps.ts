/** What evaluators do: each function is one locked addition to the chain, and seals the step when it is complete. */
import { isDeepStrictEqual } from 'node:util';
import { AssayError } from '../../errors.ts';
import { type Answer, type AnswerStep, type Assessment, subjectOf } from './answers.ts';
import { addActions, type BlindSession, truthFault, type Writer } from './folder.ts';
import {
  type BlindAction,
  disputedBetween,
  type Evaluator,
  evaluatorOf,
  missingFor,
  refusal,
  type Scope,
  stepOf,
} from './protocol.ts';

/** What is left of the step, and the receipt of its seal when nothing is. */
export type Submitted = { readonly missing: readonly string[]; readonly receipt?: string };

export type SubmitOptions = {
  readonly scope?: Scope;
  /** Refuses to replace an earlier answer. */
  readonly onlyFirst?: boolean;
};

export function submit<Step extends AnswerStep>(
  folder: string,
  writer: Writer,
  step: Step,
  answers: readonly Answer[Step][],
  { scope = 'all', onlyFirst = false }: SubmitOptions = {},
): Submitted {
  let missing: string[] = [];
  const { head } = addActions(folder, writer, function* ({ state }) {
    const evaluator = evaluatorOf(state, writer.who);
    const isSealed = evaluator.sealed[step] !== undefined;
    const added = onlyFirst && !isSealed ? notAnswered(evaluator, step, answers) : answers;
    if (added.length > 0) yield { step, answers: added } as unknown as BlindAction;
    missing = missingFor(state, evaluatorOf(state, writer.who), step, scope);
    if (missing.length === 0) yield { step: 'seal', seals: step, scope };
  });
  return missing.length > 0 ? { missing } : { missing, receipt: `${head.count}:${head.hash}` };
}

/** A repeated answer counts once; a different one from elsewhere is reported. */
function notAnswered<Step extends AnswerStep>(
  evaluator: Evaluator,
  step: Step,
  answers: readonly Answer[Step][],
): readonly Answer[Step][] {
  const said: ReadonlyMap<string, unknown> = evaluator[step];
  return answers.filter((answer) => {
    const before = said.get(subjectOf(answer));
    if (before === undefined) return true;
    if (isDeepStrictEqual(before, answer)) return false;
    throw refusal(`${evaluator.name} has answered ${subjectOf(answer)} meanwhile, and otherwise`, [
      { say: 'Go on with what is open: the earlier answer was kept' },
    ]);
  });
}

/** Changes sealed assessments. Accepted, because hiding a change of mind is worse; recorded, because it is a sign of bias. */
export function reviseAssessments(folder: string, writer: Writer, answers: readonly Assessment[]): number {
  let changed = 0;
  const { who } = writer;
  addActions(folder, writer, function* ({ state }) {
    const before = state.evaluators.get(who)?.revisions.length ?? 0;
    yield { step: 'revise', answers };
    changed = evaluatorOf(state, who).revisions.length - before;
  });
  return changed;
}

/** Records that the evaluator is about to see the statements, once; refused until step 1 is sealed. */
export function showTruth(folder: string, writer: Writer): BlindSession {
  return addActions(folder, writer, ({ state }) =>
    state.opened !== undefined || evaluatorOf(state, writer.who).shown !== undefined
      ? []
      : [{ step: 'show-truth' }],
  );
}

export type OpenOptions = {
  /** Evaluators who have begun and are not waited for. */
  readonly without?: readonly string[];
  readonly leaveDisputes?: boolean;
  /** Of the file that should be the sealed ground truth. */
  readonly truthHash?: string;
};

/** Ends the blindness: no more answers after this. Refused while an evaluator is still at work. */
export function openResults(
  folder: string,
  writer: Writer,
  { without = [], leaveDisputes = false, truthHash }: OpenOptions,
): BlindSession {
  return addActions(folder, writer, function* ({ state, start }) {
    const fault = truthFault(start, truthHash);
    if (fault !== undefined) throw new AssayError('BLIND_TAMPERED', fault);
    if (state.opened !== undefined) return;
    yield { step: 'open', without };
    // Computed now: excluded evaluators do not count in disputes.
    const disputed = disputedBetween(state);
    if (disputed.length > 0 && !leaveDisputes) {
      throw refusal(
        `disputed, and in need of a third label: ${disputed.slice(0, 5).join(', ')}${disputed.length > 5 ? ` and ${disputed.length - 5} more` : ''}`,
        [
          { say: 'Let a further evaluator settle them', step: stepOf('assess', folder) },
          { say: 'leave them undecided', options: { 'leave-disputes': true } },
        ],
      );
    }
  });
}
