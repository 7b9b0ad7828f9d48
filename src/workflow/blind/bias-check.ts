/** Step 4: what the evaluators said blind against what they said in the end. Pure; the results must be open. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { brier } from '../../stats/forecasts.ts';
import { wilson } from '../../stats/intervals.ts';
import {
  kappaOf,
  type LabelAgreement,
  labelAgreement,
  type Resolution,
  resolveLabels,
} from '../agreement.ts';
import type { Assessment, Matching } from './answers.ts';
import { type Material, type ObjectiveEdge, occurrences } from './material.ts';
import { type Evaluator, finished, labelsOf, type State } from './protocol.ts';

type Judgement = Assessment['judgement'];

/** The blind judgement of findings against the label of the same evaluator in the end. */
type BlindAgainstFinal = {
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

/** Step 4, the documented signs of bias: changed descriptions, generous matching, strict matching. */

/** `raised`: towards "this is a real error", or more sure of it; `lowered`: away from it; `reworded`: neither. */
type Direction = 'raised' | 'lowered' | 'reworded';

type AnswerChange = {
  readonly finding: string;
  readonly entry: number;
  /** Made after the evaluator had been shown the ground truth. */
  readonly seen: boolean;
  readonly direction: Direction;
  readonly from: Assessment;
  readonly to: Assessment;
};

/** A label that goes further, or less far, than the objective criteria do. */
type Deviation = {
  readonly finding: string;
  readonly error: string;
  readonly prediction: Forecast | 'CANNOT_TELL';
  readonly because: string;
};

/** A label that says the opposite of what the same evaluator had sealed, whether or not a change was declared. */
type Contradiction = {
  readonly finding: string;
  readonly judgement: 'ERROR' | 'NO_ERROR';
  readonly confidence: 'HIGH' | 'MEDIUM';
  readonly match: Matching['match'];
  readonly error?: string;
};

type Deviations = { readonly generous: readonly Deviation[]; readonly strict: readonly Deviation[] };

const SURENESS = { HIGH: 3, MEDIUM: 2, LOW: 1 } as const;

function standing(assessment: Assessment): number {
  if (assessment.judgement === 'CANNOT_TELL') return 0;
  const sureness = SURENESS[assessment.confidence];
  return assessment.judgement === 'ERROR' ? sureness : -sureness;
}

function changesOf({ revisions }: Pick<Evaluator, 'revisions'>): AnswerChange[] {
  return revisions.map(({ seq, from, to, seen }) => {
    const step = standing(to) - standing(from);
    const direction = step > 0 ? 'raised' : step < 0 ? 'lowered' : 'reworded';
    return { finding: to.finding, entry: seq, seen, direction, from, to };
  });
}

/** Every label that departs from the objective criteria, with what the evaluator had predicted of that error. */
function deviationsOf(
  material: Material,
  { match, predict }: Pick<Evaluator, 'match' | 'predict'>,
): Deviations {
  const predictionOf = (error: string) => predict.get(error)?.prediction ?? 'CANNOT_TELL';
  const edges = Map.groupBy(material.edges, ({ finding }) => finding);
  const note = (finding: string, error: string, because: string): Deviation => ({
    finding,
    error,
    prediction: predictionOf(error),
    because,
  });
  const generous = [...match.values()].flatMap((label) => {
    const because = generosity(label, edges.get(label.finding) ?? []);
    return because === undefined || label.error === undefined
      ? []
      : [note(label.finding, label.error, because)];
  });
  const runsOf = new Map(
    material.findings.map((one) => [one.id, occurrences(one).map(({ run }) => run)] as const),
  );
  const credited = new Set(
    [...match.values()].flatMap((one) =>
      isMatch(one) ? (runsOf.get(one.finding) ?? []).map((run) => `${run} ${one.error}`) : [],
    ),
  );
  const strict = material.edges.flatMap((edge) => {
    const label = match.get(edge.finding);
    if (label === undefined) return [];
    if (isMatch(label) && label.error === edge.error) {
      const downgraded = edge.strength === 'Y' && label.match === 'P';
      return downgraded ? [note(edge.finding, edge.error, 'criteria say full match, labelled partial')] : [];
    }
    // Another finding of that run has the error, or this one was matched to another error it also fits.
    const elsewhere =
      (runsOf.get(edge.finding) ?? []).every((run) => credited.has(`${run} ${edge.error}`)) || isMatch(label);
    return elsewhere
      ? []
      : [
          note(
            edge.finding,
            edge.error,
            `criteria (${edge.criteria.join(', ')}) fit, labelled ${label.match}`,
          ),
        ];
  });
  return { generous, strict };
}

/** What was said with low confidence is easily given up: it shows as raised or lowered, and is no contradiction. */
function contradictionsOf({ assess, match }: Pick<Evaluator, 'assess' | 'match'>): Contradiction[] {
  return [...match.values()].flatMap((label) => {
    const sealed = assess.get(label.finding);
    if (sealed === undefined || sealed.judgement === 'CANNOT_TELL' || sealed.confidence === 'LOW') return [];
    if (label.match === 'UNRESOLVED' || (label.match === 'FALSE') === (sealed.judgement === 'NO_ERROR'))
      return [];
    return [
      {
        finding: label.finding,
        judgement: sealed.judgement,
        confidence: sealed.confidence,
        match: label.match,
        error: label.error,
      },
    ];
  });
}

function isMatch({ match }: Matching): boolean {
  return match === 'Y' || match === 'P';
}

function generosity(label: Matching, edges: readonly ObjectiveEdge[]): string | undefined {
  if (!isMatch(label)) return undefined;
  const edge = edges.find(({ error }) => error === label.error);
  if (edge === undefined) return 'no objective criterion connects the two';
  return edge.strength === 'P' && label.match === 'Y'
    ? 'criteria say partial match, labelled full'
    : undefined;
}

/** Step 4, predictions: did the errors that were predicted to be caught turn out to be caught? */

/** What a prediction means as a probability. */
const PROBABILITY = { YES: 1, MAYBE: 0.5, NO: 0 } as const;
type Forecast = keyof typeof PROBABILITY;
const FORECASTS = ['YES', 'MAYBE', 'NO'] as const satisfies readonly Forecast[];

/** `undecided`: only disputed or unresolved findings could be it. */
export type Detection = 'detected' | 'missed' | 'undecided';

export type Calibration = {
  /** YES counts as 1, MAYBE as 0.5, NO as 0; always saying MAYBE scores 0.25. */
  readonly brier: Measurement;
  readonly groups: readonly {
    readonly prediction: Forecast;
    readonly n: number;
    readonly detected: number;
    readonly share: Measurement;
  }[];
  readonly cannotTell: number;
  /** Predicted errors left out because nobody can say yet whether they were detected. */
  readonly undecided: number;
  /** Wrong in one direction beyond what chance explains. */
  readonly systematic: readonly string[];
};

/**
 * An error is detected when more than half of the runs have a finding that the final labels match to it, fully or in
 * part. Partial ones count because the question is whether the review catches the error at all.
 */
function detections({ truth, findings, runs }: Material, state: State): Map<string, Detection> {
  const labelled = findings.flatMap((one) => {
    const resolved = resolveLabels(labelsOf(state, one.id));
    return occurrences(one).map(({ run }) => ({ run, ...resolved }));
  });
  return new Map(
    truth.errors.map(({ id }) => {
      const names = (label: { match: string; error?: string } | undefined) =>
        label?.error === id && (label.match === 'Y' || label.match === 'P');
      const sure = new Set(labelled.filter(({ decision }) => names(decision)).map(({ run }) => run));
      const possible = new Set(
        labelled.filter(({ disputed, labels }) => disputed && labels.some(names)).map(({ run }) => run),
      );
      if (sure.size * 2 > runs.length) return [id, 'detected'];
      return [id, new Set([...sure, ...possible]).size * 2 > runs.length ? 'undecided' : 'missed'];
    }),
  );
}

export function calibrate(
  { predict }: Pick<Evaluator, 'predict'>,
  outcome: ReadonlyMap<string, Detection>,
): Calibration {
  const all = [...predict.values()];
  const forecasts = all.flatMap(({ error, prediction }) =>
    prediction === 'CANNOT_TELL' ? [] : [{ prediction, outcome: outcome.get(error) }],
  );
  const decided = forecasts.filter((one) => one.outcome !== undefined && one.outcome !== 'undecided');
  const groups = FORECASTS.map((prediction) => {
    const own = decided.filter((one) => one.prediction === prediction);
    const detected = own.filter((one) => one.outcome === 'detected').length;
    return { prediction, n: own.length, detected, share: shareOf(detected, own.length) };
  });
  const score = brier(
    decided.map(({ prediction }) => PROBABILITY[prediction]),
    decided.map((one) => one.outcome === 'detected'),
  );
  return {
    brier:
      score === undefined
        ? unmeasured('no prediction can be held against an outcome')
        : estimate(score, decided.length),
    groups,
    cannotTell: all.length - forecasts.length,
    undecided: forecasts.length - decided.length,
    systematic: systematicErrors(groups),
  };
}

function shareOf(k: number, n: number): Measurement {
  return n === 0 ? unmeasured('no such prediction') : estimate(k / n, n, wilson(k, n));
}

/** The interval must lie on the wrong side of a half: a few wrong predictions are not a pattern. */
function systematicErrors(groups: Calibration['groups']): string[] {
  return groups.flatMap(({ prediction, n, detected, share }) => {
    if (!share.measured || share.low === undefined || share.high === undefined) return [];
    if (prediction === 'YES' && share.high < 0.5)
      return [`said YES to ${n} errors of which ${detected} were detected`];
    if (prediction === 'NO' && share.low > 0.5)
      return [`said NO to ${n} errors of which ${detected} were detected`];
    return [];
  });
}
