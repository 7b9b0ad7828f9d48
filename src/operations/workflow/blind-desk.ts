/** What lies before one evaluator now, and nothing that comes later: the rules of the protocol decide, as they do for every step. */
import { parseAnswers } from '../../workflow/blind/answers.ts';
import type { BlindDesk } from '../../workflow/blind/desk.ts';
import { type BlindSession, readSession } from '../../workflow/blind/folder.ts';
import { shownFinding, shownStatement } from '../../workflow/blind/material.ts';
import { disputedBetween, evaluatorOf, missingFor } from '../../workflow/blind/protocol.ts';
import { reviseAssessments, type Submitted, submit } from '../../workflow/blind/steps.ts';
import type { Ports } from '../ports.ts';
import { findingsToMatch, shownToMatch } from './blind-match.ts';

export type DeskRequest = { readonly folder: string; readonly by: string };

/** It only looks: asking to see the known errors is a step of its own, because it is written down. */
export function readDesk({ folder, by }: DeskRequest): BlindDesk {
  const session = readSession(folder);
  const { state, material } = session;
  if (state.opened !== undefined) return { step: 'opened' };
  const evaluator = evaluatorOf(state, by);
  if (evaluator.sealed.assess === undefined) {
    const open = new Set(missingFor(state, evaluator, 'assess', 'all'));
    const findings = material.findings.filter(({ id }) => open.has(id)).map(shownFinding);
    return { step: 'assess', of: material.findings.length, findings };
  }
  if (evaluator.sealed.predict === undefined) {
    const of = material.truth.errors.length;
    if (evaluator.shown === undefined) return { step: 'predict', of };
    const open = new Set(missingFor(state, evaluator, 'predict', 'all'));
    return {
      step: 'predict',
      of,
      errors: material.truth.errors.filter(({ id }) => open.has(id)).map(shownStatement),
    };
  }
  if (evaluator.sealed.match === undefined) {
    const toMatch = findingsToMatch({ folder, by, everyFinding: false });
    return { step: 'match', of: evaluator.match.size + toMatch.open.length, ...shownToMatch(toMatch) };
  }
  return { step: 'check', waiting: waitingIn(session), disputed: disputedBetween(state) };
}

function waitingIn({ state }: BlindSession): string[] {
  const everybody = [...new Set([...state.expected, ...state.evaluators.keys()])];
  return everybody.filter((name) => evaluatorOf(state, name).sealed.match === undefined);
}

export type HandInRequest = DeskRequest & {
  readonly step: 'assess' | 'predict' | 'match';
  /** As a file of answers holds them. */
  readonly answers: unknown;
  /** Refuse what was answered before: somebody else's window may have answered it meanwhile. */
  readonly onlyFirst?: boolean;
};

/** Adds answers to the step; it is sealed when nothing is open any more. */
export function handIn(
  { folder, by, step, answers, onlyFirst = false }: HandInRequest,
  { now }: Pick<Ports, 'now'>,
): Submitted {
  const parsed = parseAnswers(step, answers, 'the answers');
  const scope = step === 'match' ? findingsToMatch({ folder, by, everyFinding: false }).scope : 'all';
  return submit(folder, { who: by, now }, step, parsed, { scope, onlyFirst });
}

/** How many sealed assessments were changed; each change is recorded as a sign of bias. */
export function handInRevisions(
  { folder, by, answers }: DeskRequest & { readonly answers: unknown },
  { now }: Pick<Ports, 'now'>,
): number {
  return reviseAssessments(folder, { who: by, now }, parseAnswers('assess', answers, 'the answers'));
}
