/** Who is at which step and what is missing: counts and ids only, never what anybody answered. */
import { ANSWERS, type AnswerStep } from './answers.ts';
import type { BlindSession } from './folder.ts';
import {
  disputedBetween,
  type Evaluator,
  evaluatorOf,
  finished,
  missingFor,
  type State,
  scopeFor,
} from './protocol.ts';

export type StepProgress = { readonly done: number; readonly of: number; readonly sealedIn?: number };

export type EvaluatorProgress = Readonly<Record<AnswerStep, StepProgress>> & {
  readonly name: string;
  readonly truthShown: boolean;
  readonly next: AnswerStep | undefined;
};

export type BlindProgress = {
  readonly findings: number;
  readonly errors: number;
  readonly entries: number;
  readonly head: string;
  readonly truthHash: string;
  readonly evaluators: readonly EvaluatorProgress[];
  /** Findings on which those who are done disagree; absent until two are done. */
  readonly disputed?: readonly string[];
  readonly openedIn?: number;
};

export function progressOf({ state, head, start }: BlindSession): BlindProgress {
  return {
    findings: state.subjects.findings.size,
    errors: state.subjects.errors.size,
    entries: head.count,
    head: head.hash,
    truthHash: start.truth,
    evaluators: [...new Set([...state.expected, ...state.evaluators.keys()])].map((name) =>
      progress(state, evaluatorOf(state, name)),
    ),
    ...(finished(state).length >= 2 && { disputed: disputedBetween(state) }),
    ...(state.opened !== undefined && { openedIn: state.opened.seq }),
  };
}

const STEPS = Object.keys(ANSWERS) as AnswerStep[];

function progress(state: State, evaluator: Evaluator): EvaluatorProgress {
  const { name, sealed, shown } = evaluator;
  const step = (which: AnswerStep): StepProgress => {
    const done = evaluator[which].size;
    const at = sealed[which];
    const missing = missingFor(state, evaluator, which, scopeFor(state, name, false)).length;
    return at === undefined ? { done, of: done + missing } : { done, of: done, sealedIn: at };
  };
  return {
    name,
    assess: step('assess'),
    predict: step('predict'),
    match: step('match'),
    truthShown: shown !== undefined,
    next: STEPS.find((which) => sealed[which] === undefined),
  };
}
