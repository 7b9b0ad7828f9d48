/**
 * The rules of the protocol, in one place: each entry is applied to the state or refused. Commands use it before they
 * write, and readers use it on every entry of a chain, so that an entry written by hand cannot skip a step either.
 */
import { AssayError, type WayOut } from '../../errors.ts';
import { resolveLabels } from '../agreement.ts';
import type { FindingLabel } from '../review.ts';
import type { Answer, AnswerStep, Assessment, Matching, Prediction } from './answers.ts';
import { ANSWERS, subjectOf } from './answers.ts';

/** A changed assessment after sealing; `seen`: the evaluator had been shown the ground truth. */
type Revision = {
  readonly seq: number;
  readonly from: Assessment;
  readonly to: Assessment;
  readonly seen: boolean;
};

export type Evaluator = {
  readonly name: string;
  readonly assess: Map<string, Assessment>;
  readonly predict: Map<string, Prediction>;
  readonly match: Map<string, Matching>;
  /** Entry that sealed the step. */
  readonly sealed: { [Step in AnswerStep]?: number };
  readonly revisions: Revision[];
  /** Entry that recorded that the ground truth's statements were shown. */
  shown?: number;
};

/** What the answers may be about. */
export type Subjects = { readonly findings: ReadonlySet<string>; readonly errors: ReadonlySet<string> };

export type State = {
  /** The folder of the evaluation, for next steps. */
  readonly folder: string;
  readonly subjects: Subjects;
  /** Named at the start: the results stay closed until they are done, even if they have not begun. */
  readonly expected: readonly string[];
  readonly evaluators: Map<string, Evaluator>;
  opened?: { readonly seq: number; readonly at: string; readonly without: readonly string[] };
};

/** The content of an entry, unpacked. */
export type BlindAction =
  | { [Step in AnswerStep]: { readonly step: Step; readonly answers: readonly Answer[Step][] } }[AnswerStep]
  | { readonly step: 'revise'; readonly answers: readonly Assessment[] }
  | { readonly step: 'show-truth' }
  | { readonly step: 'seal'; readonly seals: AnswerStep; readonly scope: Scope }
  | { readonly step: 'open'; readonly without: readonly string[] };

/** A third evaluator may label only what two others dispute. */
export type Scope = 'all' | 'disputes';

export function emptyState(folder: string, subjects: Subjects, expected: readonly string[] = []): State {
  return { folder, subjects, expected, evaluators: new Map() };
}

export function evaluatorOf(state: State, name: string): Evaluator {
  return (
    state.evaluators.get(name) ?? {
      name,
      assess: new Map(),
      predict: new Map(),
      match: new Map(),
      sealed: {},
      revisions: [],
    }
  );
}

/** Whoever is expected or has begun. */
export function everybodyIn({ expected, evaluators }: State): string[] {
  return [...new Set([...expected, ...evaluators.keys()])];
}

/** Applies what `who` does as entry `seq`, or refuses it with the reason; a refused action changes nothing. */
export function apply(state: State, who: string, seq: number, at: string, action: BlindAction): void {
  if (state.opened !== undefined) {
    throw refusal(`the results were opened in entry ${state.opened.seq}; nothing can be added`, [
      { say: 'Start a new blind evaluation: whoever has seen the results is no longer blind' },
    ]);
  }
  if (action.step === 'open') {
    checkAllDone(state, action.without);
    state.opened = { seq, at, without: action.without };
    return;
  }
  const evaluator = evaluatorOf(state, who);
  checkOrder(state.folder, evaluator, action);
  if (action.step === 'seal') {
    checkScope(state, who, action.seals, action.scope);
    const missing = missingFor(state, evaluator, action.seals, action.scope);
    if (missing.length > 0) throw refusal(`${who} has not answered ${missing.slice(0, 3).join(', ')}`);
    evaluator.sealed[action.seals] = seq;
  } else if (action.step === 'show-truth') {
    evaluator.shown ??= seq;
  } else if (action.step === 'revise') {
    checkSubjects(state, 'assess', action.answers);
    for (const to of action.answers) revise(evaluator, to, seq);
  } else {
    checkSubjects(state, action.step, action.answers);
    take(evaluator, action);
  }
  // Only now does the evaluator exist: a refused first step leaves no trace.
  state.evaluators.set(who, evaluator);
}

function take(evaluator: Evaluator, action: Extract<BlindAction, { step: AnswerStep }>): void {
  if (action.step === 'assess') for (const one of action.answers) evaluator.assess.set(one.finding, one);
  else if (action.step === 'predict') for (const one of action.answers) evaluator.predict.set(one.error, one);
  else for (const one of action.answers) evaluator.match.set(one.finding, one);
}

function revise(evaluator: Evaluator, to: Assessment, seq: number): void {
  const from = currentAssessment(evaluator, to.finding);
  if (from === undefined || JSON.stringify(from) === JSON.stringify(to)) return;
  evaluator.revisions.push({ seq, from, to, seen: evaluator.shown !== undefined });
}

/** An evaluator's latest assessment of a finding; `assess` has the blind one. */
export function currentAssessment(evaluator: Evaluator, finding: string): Assessment | undefined {
  return (
    evaluator.revisions.findLast(({ to }) => to.finding === finding)?.to ?? evaluator.assess.get(finding)
  );
}

const STEP_NUMBER = { assess: 1, predict: 2, match: 3 } as const;

function checkOrder(folder: string, { name, sealed, shown }: Evaluator, action: BlindAction): void {
  const step = action.step === 'seal' ? action.seals : action.step;
  const needs = (before: AnswerStep) => {
    if (sealed[before] !== undefined) return;
    throw refusal(`step ${STEP_NUMBER[before]} (${before}) of ${name} is not sealed yet`, [
      { say: 'Finish it first', step: stepOf(before, folder, { by: name }) },
    ]);
  };
  if (step === 'assess' || step === 'predict' || step === 'match') {
    if (step !== 'assess') needs('assess');
    if (step === 'match') needs('predict');
    if (sealed[step] !== undefined) throw alreadySealed(name, step, sealed[step]);
  }
  if (step === 'show-truth' || step === 'revise') needs('assess');
  if (step === 'predict' && shown === undefined) {
    throw refusal(`the known errors were never shown to ${name}, so there is nothing to predict from`, [
      { say: 'Read them first', step: stepOf('predict', folder, { by: name, list: true }) },
    ]);
  }
}

/** Criteria are shown from step 3 on, also to those who have sealed it, and to everybody once the results are open. */
export function checkMaySeeCriteria(state: State, name: string): void {
  const evaluator = evaluatorOf(state, name);
  if (state.opened === undefined && evaluator.sealed.match === undefined) {
    checkOrder(state.folder, evaluator, { step: 'match', answers: [] });
  }
}

function alreadySealed(name: string, step: AnswerStep, seq: number): AssayError {
  return refusal(
    `step ${STEP_NUMBER[step]} (${step}) of ${name} was sealed in entry ${seq}`,
    step === 'assess'
      ? [
          {
            say: 'A changed assessment is accepted, recorded and shown by the check',
            options: { revise: true },
          },
        ]
      : [{ say: 'What is sealed stays as it is' }],
  );
}

function checkSubjects(state: State, step: AnswerStep, answers: readonly Answer[AnswerStep][]): void {
  const { about } = ANSWERS[step];
  const known = about === 'error' ? state.subjects.errors : state.subjects.findings;
  for (const answer of answers) {
    const id = subjectOf(answer);
    if (!known.has(id))
      throw new AssayError('INPUT_INVALID', `there is no ${about} "${id}" in this evaluation`);
    if ('match' in answer && answer.error !== undefined && !state.subjects.errors.has(answer.error)) {
      throw new AssayError(
        'INPUT_INVALID',
        `finding "${id}": there is no error "${answer.error}" in the ground truth`,
      );
    }
  }
}

/** What the evaluator still has to answer before the step can be sealed. */
export function missingFor(state: State, evaluator: Evaluator, step: AnswerStep, scope: Scope): string[] {
  const { findings, errors } = state.subjects;
  const all = step === 'predict' ? errors : findings;
  const done: ReadonlyMap<string, unknown> = evaluator[step];
  const wanted = step === 'match' && scope === 'disputes' ? disputedBetween(state, evaluator.name) : [...all];
  return wanted.filter((id) => !done.has(id));
}

/** Labels of a finding by those who have sealed their matching, in the order they sealed it. */
export function labelsOf(state: State, finding: string, except?: string): FindingLabel[] {
  return finished(state)
    .filter(({ name }) => name !== except)
    .flatMap(({ name, match }) => {
      const given = match.get(finding);
      if (given === undefined) return [];
      const { match: verdict, error, reason } = given;
      return [{ match: verdict, error, by: name, reason }];
    });
}

export function finished(state: State): Evaluator[] {
  return [...state.evaluators.values()]
    .filter(({ sealed, name }) => sealed.match !== undefined && !state.opened?.without.includes(name))
    .toSorted((a, b) => (a.sealed.match ?? 0) - (b.sealed.match ?? 0));
}

/** Findings that the evaluators who are done (other than `except`) label differently. */
export function disputedBetween(state: State, except?: string): string[] {
  return [...state.subjects.findings].filter((id) => resolveLabels(labelsOf(state, id, except)).disputed);
}

/** A third evaluator only needs to label what two others, both done, disagree on. */
export function scopeFor(state: State, name: string, all: boolean): Scope {
  const others = finished(state).filter((one) => one.name !== name);
  return !all && others.length >= 2 ? 'disputes' : 'all';
}

function checkScope(state: State, who: string, step: AnswerStep, scope: Scope): void {
  if (scope === 'all' || (step === 'match' && scopeFor(state, who, false) === 'disputes')) return;
  throw refusal(`${who} cannot settle disputes only: fewer than two others have sealed step 3 (match)`);
}

function checkAllDone(state: State, without: readonly string[]): void {
  const everybody = everybodyIn(state);
  const unknown = without.find((name) => !everybody.includes(name));
  if (unknown !== undefined) {
    throw new AssayError('USAGE', `nobody of the name ${unknown} is expected or has begun`, {
      remedy: [{ say: 'See who has', step: stepOf('status', state.folder) }],
    });
  }
  const included = everybody.filter((name) => !without.includes(name));
  const waiting = included.filter((name) => evaluatorOf(state, name).sealed.match === undefined);
  if (included.length === 0) throw refusal('nobody has sealed step 3 (match) yet');
  if (waiting.length > 0) {
    throw refusal(
      `${waiting.join(', ')} ${waiting.length === 1 ? 'has' : 'have'} not sealed step 3 (match); results would end their blindness`,
      [
        { say: 'Wait for them', step: stepOf('status', state.folder) },
        { say: 'go on without them', options: { without: waiting.join(',') } },
      ],
    );
  }
}

/** A step of the same evaluation. */
export function stepOf(
  step: AnswerStep | 'status',
  folder: string,
  options: Readonly<Record<string, string | true>> = {},
): NonNullable<WayOut['step']> {
  return { operation: `workflow blind ${step}`, positionals: [folder], options };
}

export function refusal(message: string, remedy?: readonly WayOut[]): AssayError {
  return new AssayError('BLIND_ORDER', message, remedy === undefined ? {} : { remedy });
}
