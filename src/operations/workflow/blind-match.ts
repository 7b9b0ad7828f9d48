import { readAnswers } from '../../workflow/blind/answers.ts';
import type { ShownToMatch } from '../../workflow/blind/desk.ts';
import { type BlindSession, readSession } from '../../workflow/blind/folder.ts';
import { shownCandidates, shownFinding, shownStatement } from '../../workflow/blind/material.ts';
import {
  checkMaySeeCriteria,
  currentAssessment,
  evaluatorOf,
  missingFor,
  type Scope,
  scopeFor,
} from '../../workflow/blind/protocol.ts';
import { type Submitted, submit } from '../../workflow/blind/steps.ts';
import type { Ports } from '../ports.ts';

export type MatchRequest = {
  readonly folder: string;
  readonly by: string;
  /** As third evaluator, label every finding and not only the disputed ones. */
  readonly everyFinding: boolean;
};

export type ToMatch = {
  readonly session: BlindSession;
  readonly by: string;
  readonly scope: Scope;
  /** Findings without a label of this evaluator. */
  readonly open: readonly string[];
};

/** Everything step 3 shows, with the evaluator's own blind assessment beside it. */
export function shownToMatch({ session, by, scope, open }: ToMatch): ShownToMatch {
  const { material, state } = session;
  const wanted = new Set(open);
  const evaluator = evaluatorOf(state, by);
  return {
    scope,
    findings: material.findings
      .filter(({ id }) => wanted.has(id))
      .map((one) => ({
        ...shownFinding(one),
        assessment: currentAssessment(evaluator, one.id),
        candidates: shownCandidates(material, one.id),
      })),
    errors: material.truth.errors.map(shownStatement),
  };
}

/** Step 3: findings beside the errors that objective criteria connect them with. */
export function findingsToMatch({ folder, by, everyFinding }: MatchRequest): ToMatch {
  const session = readSession(folder);
  const { state } = session;
  checkMaySeeCriteria(state, by);
  const scope = scopeFor(state, by, everyFinding);
  return { session, by, scope, open: missingFor(state, evaluatorOf(state, by), 'match', scope) };
}

export function matchBlindly(
  request: MatchRequest & { readonly file: string },
  { now }: Pick<Ports, 'now'>,
): Submitted {
  const answers = readAnswers('match', request.file);
  const { scope } = findingsToMatch(request);
  return submit(request.folder, { who: request.by, now }, 'match', answers, { scope });
}
