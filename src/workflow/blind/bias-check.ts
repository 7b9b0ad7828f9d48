/** Step 4: what the evaluators said blind against what they said in the end. Pure; the results must be open. */
import type { Measurement } from '../../measure/metric.ts';
import {
  kappaOf,
  type LabelAgreement,
  labelAgreement,
  type Resolution,
  resolveLabels,
} from '../agreement.ts';
import type { Assessment, Matching } from './answers.ts';
import { type Calibration, calibrate, type Detection, detections } from './calibration.ts';
import {
  type AnswerChange,
  type Contradiction,
  changesOf,
  contradictionsOf,
  type Deviation,
  deviationsOf,
} from './indicators.ts';
import { type Material, occurrences } from './material.ts';
import { type Evaluator, finished, labelsOf, type State } from './protocol.ts';

type Judgement = Assessment['judgement'];

/** The blind judgement of findings against the label of the same evaluator in the end. */
export type BlindAgainstFinal = {
  readonly kappa: Measurement;
  readonly n: number;
  readonly same: number;
  /** Findings that became a real error only after the ground truth was seen, and those that ceased to be one. */
  readonly raised: readonly string[];
  readonly lowered: readonly string[];
};

export type EvaluatorCheck = {
  readonly name: string;
  readonly assessed: number;
  readonly cannotTell: number;
  readonly changes: readonly AnswerChange[];
  readonly blindAgainstFinal: BlindAgainstFinal;
  readonly predictions: Calibration;
  /** Every departure from the objective criteria, whatever was predicted: what the indicators stand out from. */
  readonly departures: { readonly generous: number; readonly strict: number };
  readonly indicators: {
    readonly changedAfterTruth: readonly AnswerChange[];
    /** Nobody has to declare these: the sealed answer and the label are both on record. */
    readonly contradicted: readonly Contradiction[];
    readonly generousAgainstNo: readonly Deviation[];
    readonly strictAgainstYes: readonly Deviation[];
  };
  readonly flagged: boolean;
};

/** Where a finding came from is told only here, when everybody is done. */
type Decision = Resolution & {
  readonly finding: string;
  readonly workflow: string;
  readonly run: string;
  readonly original: string;
  /** How many findings were judged by it: the same words in several runs are judged once. */
  readonly runs: number;
};

export type BiasCheck = {
  readonly findings: number;
  readonly errors: number;
  readonly runs: number;
  readonly truthHash: string;
  readonly matcherVersion: string;
  readonly evaluators: readonly EvaluatorCheck[];
  readonly agreement: LabelAgreement;
  readonly detected: ReadonlyMap<string, Detection>;
  readonly decisions: readonly Decision[];
  readonly leftOut: readonly string[];
  readonly flagged: boolean;
};

export function checkBias(material: Material, state: State): BiasCheck {
  const detected = detections(material, state);
  const decisions = material.findings.map((one) => ({
    finding: one.id,
    workflow: material.runs[one.run]?.workflow ?? '',
    run: material.runs[one.run]?.run ?? '',
    original: one.finding.id,
    runs: occurrences(one).length,
    ...resolveLabels(labelsOf(state, one.id)),
  }));
  const evaluators = finished(state).map((evaluator) => checkEvaluator(material, evaluator, detected));
  return {
    findings: material.findings.length,
    errors: material.truth.errors.length,
    runs: material.runs.length,
    truthHash: material.truth.hash,
    matcherVersion: material.matcherVersion,
    evaluators,
    agreement: labelAgreement(decisions),
    detected,
    decisions,
    leftOut: state.opened?.without ?? [],
    flagged: evaluators.some(({ flagged }) => flagged),
  };
}

function checkEvaluator(
  material: Material,
  evaluator: Evaluator,
  detected: ReadonlyMap<string, Detection>,
): EvaluatorCheck {
  const changes = changesOf(evaluator);
  const { generous, strict } = deviationsOf(material, evaluator);
  const predictions = calibrate(evaluator, detected);
  const indicators = {
    changedAfterTruth: changes.filter(({ seen }) => seen),
    contradicted: contradictionsOf(evaluator),
    generousAgainstNo: generous.filter(({ prediction }) => prediction === 'NO'),
    strictAgainstYes: strict.filter(({ prediction }) => prediction === 'YES'),
  };
  const assessments = [...evaluator.assess.values()];
  return {
    name: evaluator.name,
    assessed: assessments.length,
    cannotTell: assessments.filter(({ judgement }) => judgement === 'CANNOT_TELL').length,
    changes,
    blindAgainstFinal: compareWithFinal(evaluator),
    predictions,
    departures: { generous: generous.length, strict: strict.length },
    indicators,
    flagged: Object.values(indicators).some((found) => found.length > 0) || predictions.systematic.length > 0,
  };
}

function compareWithFinal({ assess, match }: Evaluator): BlindAgainstFinal {
  const pairs = [...match.values()].flatMap((label) => {
    const blind = assess.get(label.finding)?.judgement;
    return blind === undefined ? [] : [{ finding: label.finding, blind, final: judgementOf(label) }];
  });
  const moved = (test: (blind: Judgement, final: Judgement) => boolean) =>
    pairs.filter(({ blind, final }) => blind !== final && test(blind, final)).map(({ finding }) => finding);
  return {
    kappa: kappaOf(pairs.map(({ blind, final }) => [blind, final])),
    n: pairs.length,
    same: pairs.filter(({ blind, final }) => blind === final).length,
    raised: moved((blind, final) => RANK[final] > RANK[blind]),
    lowered: moved((blind, final) => RANK[final] < RANK[blind]),
  };
}

const RANK: Readonly<Record<Judgement, number>> = { NO_ERROR: -1, CANNOT_TELL: 0, ERROR: 1 };

/** A duplicate is a real error that another finding is credited with. */
function judgementOf({ match }: Matching): Judgement {
  if (match === 'UNRESOLVED') return 'CANNOT_TELL';
  return match === 'FALSE' ? 'NO_ERROR' : 'ERROR';
}
