import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { type Answer, type AnswerStep, parseAnswers, readAnswers } from '../../workflow/blind/answers.ts';
import { type BiasCheck, checkBias } from '../../workflow/blind/bias-check.ts';
import {
  type BlindProgress,
  type BlindSession,
  progressOf,
  readSession,
  startSession,
  type Verification,
  verifySession,
} from '../../workflow/blind/folder.ts';
import {
  type BlindDesk,
  type BlindStarted,
  freeze,
  labelledRuns,
  type ShownToMatch,
  shownCandidates,
  shownFinding,
  shownStatement,
} from '../../workflow/blind/material.ts';
import {
  checkMaySeeCriteria,
  currentAssessment,
  disputedBetween,
  evaluatorOf,
  everybodyIn,
  missingFor,
  type Scope,
  scopeFor,
} from '../../workflow/blind/protocol.ts';
import {
  openResults,
  reviseAssessments,
  type Submitted,
  showTruth,
  submit,
} from '../../workflow/blind/steps.ts';
import { collectRuns } from '../../workflow/ingest/collect-runs.ts';
import { readTruth } from '../../workflow/ingest/import-file.ts';
import { expandPatterns } from '../../workflow/ingest/list-files.ts';
import { readExperiment } from '../../workflow/ingest/read-experiment.ts';
import { examineRun } from '../../workflow/match/examine-run.ts';
import type { Ports } from '../ports.ts';
import { findSealedTruths } from './find-evaluations.ts';
import { openTruth, type ReviewFiles } from './read-reviews.ts';

export type BlindStartRequest = {
  readonly inputs: Omit<ReviewFiles, 'called'>;
  readonly folder: string;
  readonly by: string;
  /** The evaluators; the results stay closed until all of them are done. */
  readonly evaluators: readonly string[];
  /**
   * Refuses a ground truth that an evaluation below this folder has sealed, because a second evaluation would reveal
   * it.
   */
  readonly unsealedIn?: string;
};

/** Freezes the findings and seals the ground truth. */
export function startBlind(request: BlindStartRequest, { now }: Pick<Ports, 'now'>): BlindStarted {
  const { inputs, folder, by, evaluators, unsealedIn } = request;
  const { imported, maps, options } = openTruth(inputs);
  const { truth } = imported;
  if (unsealedIn !== undefined) refuseSealed(unsealedIn, [truth.hash]);
  // Reports of other tools name no task.
  const { runs } = collectRuns(expandPatterns(inputs.runs), { task: truth.task, ...(maps && { maps }) });
  const material = freeze(truth, runs, (against, run) => examineRun(against, run, options));
  const { hash } = startSession(folder, material, { who: by, now }, evaluators);
  return {
    folder,
    findings: material.findings.length,
    reported: runs.reduce((sum, { findings }) => sum + findings.length, 0),
    runs: runs.length,
    errors: truth.errors.length,
    truthHash: truth.hash,
    receipt: `1:${hash}`,
    evaluators,
  };
}

/** An evaluator and the folder of the evaluation. */
export type EvaluatorRequest = { readonly folder: string; readonly by: string };

/**
 * The open questions of one evaluator in the current step, and nothing of later steps. This only reads: showing the
 * known errors is a separate, recorded step.
 */
export function readDesk({ folder, by }: EvaluatorRequest): BlindDesk {
  const session = readSession(folder);
  const { state, material } = session;
  if (state.opened !== undefined) return { step: 'opened' };
  const { sealed, shown, match } = evaluatorOf(state, by);
  const isOpen = (step: AnswerStep) => {
    const open = new Set(openStep(step, { folder, by }, session).open);
    return ({ id }: { readonly id: string }) => open.has(id);
  };
  if (sealed.assess === undefined) {
    const findings = material.findings.filter(isOpen('assess')).map(shownFinding);
    return { step: 'assess', of: material.findings.length, findings };
  }
  if (sealed.predict === undefined) {
    const { errors } = material.truth;
    const open = shown === undefined ? undefined : errors.filter(isOpen('predict')).map(shownStatement);
    return { step: 'predict', of: errors.length, errors: open };
  }
  if (sealed.match === undefined) {
    const toMatch = openStep('match', { folder, by }, session);
    return { step: 'match', of: match.size + toMatch.open.length, matches: shownToMatch(toMatch) };
  }
  const waiting = everybodyIn(state).filter((name) => evaluatorOf(state, name).sealed.match === undefined);
  return { step: 'check', waiting, disputed: disputedBetween(state) };
}

type StepRequest = EvaluatorRequest & {
  /** As third evaluator, label every finding instead of only the disputed ones. */
  readonly everyFinding?: boolean;
};

/** A step with its state for one evaluator. */
export type OpenStep = {
  readonly session: BlindSession;
  readonly by: string;
  readonly scope: Scope;
  /** Questions that the evaluator has not answered yet. */
  readonly open: readonly string[];
};

/** Throws if the step is not due: step 1 shows findings only, step 3 also criteria. */
export function openStep(
  step: AnswerStep,
  { folder, by, everyFinding = false }: StepRequest,
  session: BlindSession = readSession(folder),
): OpenStep {
  const { state } = session;
  if (step === 'match') checkMaySeeCriteria(state, by);
  const scope = step === 'match' ? scopeFor(state, by, everyFinding) : 'all';
  return { session, by, scope, open: missingFor(state, evaluatorOf(state, by), step, scope) };
}

/** Step 1 shows only the findings: the ground truth stays sealed. */
export function findingsToAssess({ material }: BlindSession) {
  return material.findings.map(shownFinding);
}

/**
 * Step 2: throws until step 1 of this evaluator is sealed. The call is recorded, because the evaluator knows the errors
 * from now on.
 */
export function errorsToPredict(request: EvaluatorRequest, { now }: Pick<Ports, 'now'>) {
  const session = showTruth(request.folder, { who: request.by, now });
  return {
    ...openStep('predict', request, session),
    errors: session.material.truth.errors.map(shownStatement),
  };
}

/** All data of step 3, with the evaluator's own blind assessment. */
export function shownToMatch({ session, by, scope, open }: OpenStep): ShownToMatch {
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

/** Answers, or a file with answers. */
type Answers = { readonly answers: unknown } | { readonly file: string };

export type HandInRequest = StepRequest &
  Answers & {
    readonly step: AnswerStep;
    /** Refuses to overwrite an answer, which may come from another window. */
    readonly onlyFirst?: boolean;
  };

/** Adds answers to the step, and seals it once all are answered. */
export function handIn(request: HandInRequest, { now }: Pick<Ports, 'now'>): Submitted {
  const { folder, by, step, onlyFirst = false } = request;
  const parsed = parsedAnswers(step, request);
  const { scope } = openStep(step, request);
  return submit(folder, { who: by, now }, step, parsed, { scope, onlyFirst });
}

/** Records changes to sealed assessments as a sign of bias, and returns their number. */
export function handInRevisions(request: EvaluatorRequest & Answers, { now }: Pick<Ports, 'now'>): number {
  return reviseAssessments(request.folder, { who: request.by, now }, parsedAnswers('assess', request));
}

function parsedAnswers<Step extends AnswerStep>(step: Step, given: Answers): Answer[Step][] {
  return 'file' in given ? readAnswers(step, given.file) : parseAnswers(step, given.answers, 'the answers');
}

/** Opening the results ends the evaluation, so excluded evaluators and open questions are shown first. */
export type OpenRequest = {
  readonly folder: string;
  /** Called only if the results are not open yet; reading them again needs no name. */
  readonly by: () => string;
  readonly without: readonly string[];
  readonly leaveDisputes: boolean;
  /** A file to check against the sealed ground truth. */
  readonly truth?: string;
};

export function openBlind(request: OpenRequest, { now }: Pick<Ports, 'now'>): BlindSession {
  const { folder, by, without, leaveDisputes, truth } = request;
  const who = readSession(folder).state.opened === undefined ? by() : '';
  return openResults(
    folder,
    { who, now },
    {
      without,
      leaveDisputes,
      ...(truth !== undefined && { truthHash: readTruth(truth).hash }),
    },
  );
}

/** Step 4: agreement, calibration and signs of bias. */
export function checkBlind(request: OpenRequest, ports: Pick<Ports, 'now'>): BiasCheck {
  const { material, state } = openBlind(request, ports);
  return checkBias(material, state);
}

export type ExportLabelsRequest = OpenRequest & {
  /** The folder for the run files; created if missing. */
  readonly out: string;
};

export type ExportedLabels = {
  readonly truthHash: string;
  /** The written run files. */
  readonly paths: readonly string[];
};

/** Writes the final labels as run files for scoring. */
export function exportBlind(request: ExportLabelsRequest, ports: Pick<Ports, 'now'>): ExportedLabels {
  const { material, state, start } = openBlind(request, ports);
  const runs = labelledRuns(material, state);
  writing(request.out, () => makeFolder(request.out));
  const paths = runs.map((run, index) => {
    const path = join(request.out, fileName(`${run.workflow}-${run.run}`, index, runs.length));
    writing(path, () => writeFileSync(path, `${JSON.stringify(run, null, 2)}\n`));
    return path;
  });
  return { truthHash: start.truth, paths };
}

function writing(path: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause });
  }
}

/** Names are untrusted: only characters that every file system accepts, plus a number if two names could collide. */
function fileName(name: string, index: number, of: number): string {
  const safe =
    name
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 80) || 'run';
  return of === 1 ? `${safe}.json` : `${String(index + 1).padStart(String(of).length, '0')}-${safe}.json`;
}

/** The current step of each evaluator and what is missing, without any answers. */
export function statusOfBlind(folder: string): BlindProgress {
  return progressOf(readSession(folder));
}

export type VerifyRequest = {
  readonly folder: string;
  /** `COUNT:HASH` as printed when the step was sealed. */
  readonly receipt?: string;
  /** A file to compare with the sealed ground truth. */
  readonly truth?: string;
};

/** Checks whether the evaluation was changed since it was written. */
export function verifyBlind({ folder, receipt, truth }: VerifyRequest): Omit<Verification, 'session'> {
  const { session: _session, ...verification } = verifySession(folder, {
    receipt,
    ...(truth !== undefined && { truthHash: readTruth(truth).hash }),
  });
  return verification;
}

/**
 * Keeps sealed results from possible evaluators: throws for results of a ground truth that a blind evaluation below
 * `folder` has sealed and not opened.
 */
export function refuseSealed(folder: string, truths: Iterable<string>): void {
  const sealed = findSealedTruths(folder);
  for (const hash of truths) {
    const by = sealed.get(hash);
    if (by === undefined) continue;
    throw new AssayError(
      'BLIND_ORDER',
      `the blind evaluation ${JSON.stringify(by)} keeps this ground truth sealed until its results are opened`,
    );
  }
}

/** The same check for an experiment, with all ground truths it names. */
export function refuseSealedExperiment(folder: string, experiment: string): void {
  if (findSealedTruths(folder).size === 0) return;
  refuseSealed(
    folder,
    readExperiment(experiment, folder).arms.map(({ truth }) => truth.hash),
  );
}
