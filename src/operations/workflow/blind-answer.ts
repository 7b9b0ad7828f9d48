import type { Answer, AnswerStep } from '../../workflow/blind/answers.ts';
import type { BlindSession } from '../../workflow/blind/folder.ts';
import { evaluatorOf, missingFor, type Scope } from '../../workflow/blind/protocol.ts';
import { type Submitted, submit } from '../../workflow/blind/steps.ts';
import type { Ports } from '../ports.ts';

/** What an evaluator has not yet answered in a step. */
export function openIn(
  { state }: BlindSession,
  by: string,
  step: AnswerStep,
  scope: Scope = 'all',
): readonly string[] {
  return missingFor(state, evaluatorOf(state, by), step, scope);
}

/** Adds answers to the chain; the step is sealed when nothing is open. Without answers the rules say whether it can be. */
export function answerStep<Step extends AnswerStep>(
  { folder }: BlindSession,
  by: string,
  step: Step,
  answers: readonly Answer[Step][],
  { now }: Pick<Ports, 'now'>,
  scope: Scope = 'all',
): Submitted {
  return submit(folder, { who: by, now }, step, answers, { scope });
}
