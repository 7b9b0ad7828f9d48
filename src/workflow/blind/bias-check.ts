/** Step 4: compares the blind answers of evaluators with their final ones. Pure; the results must be open. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { brier } from '../../stats/forecasts.ts';
import { wilson } from '../../stats/intervals.ts';
import { kappaOf, labelAgreement, resolveLabels } from '../agreement.ts';
import type { Assessment, Matching } from './answers.ts';
import { type Material, type ObjectiveEdge, occurrences } from './material.ts';
import { type Evaluator, finished, labelsOf, type State } from './protocol.ts';

export type BiasCheck = ReturnType<typeof checkBias>;
export type EvaluatorCheck = ReturnType<typeof checkEvaluator>;

export function checkBias(material: Material, state: State) {
  const detected = detections(material, state);
  // The origin of a finding is revealed only here, when everybody is done.
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

function checkEvaluator(material: Material, evaluator: Evaluator, detected: ReadonlyMap<string, Detection>) {
  const changes = changesOf(evaluator);
  const { generous, strict } = deviationsOf(material, evaluator);
  const predictions = calibrate(evaluator, detected);
  const indicators = {
    changedAfterTruth: changes.filter(({ seen }) => seen),
    // Nobody has to declare these: the sealed answer and the label are both on record.
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
    // Every departure from the objective criteria, whatever was predicted: the base rate of the indicators.
    departures: { generous: generous.length, strict: strict.length },
    indicators,
    flagged: Object.values(indicators).some((found) => found.length > 0) || predictions.systematic.length > 0,
  };
}

type Judgement = Assessment['judgement'];

const RANK: Readonly<Record<Judgement, number>> = { NO_ERROR: -1, CANNOT_TELL: 0, ERROR: 1 };

/** The blind judgement of findings against the label of the same evaluator in the end. */
function compareWithFinal({ assess, match }: Evaluator) {
  const pairs = [...match.values()].flatMap((label) => {
    const blind = assess.get(label.finding)?.judgement;
    return blind === undefined ? [] : [{ finding: label.finding, blind, final: judgementOf(label) }];
  });
  const moved = (up: 1 | -1) =>
    pairs.filter(({ blind, final }) => (RANK[final] - RANK[blind]) * up > 0).map(({ finding }) => finding);
  return {
    kappa: kappaOf(pairs.map(({ blind, final }) => [blind, final])),
    n: pairs.length,
    same: pairs.filter(({ blind, final }) => blind === final).length,
    // Became a real error only after the ground truth was seen, or ceased to be one.
    raised: moved(1),
    lowered: moved(-1),
  };
}

/** A duplicate is a real error that another finding is credited with. */
function judgementOf({ match }: Matching): Judgement {
  if (match === 'UNRESOLVED') return 'CANNOT_TELL';
  return match === 'FALSE' ? 'NO_ERROR' : 'ERROR';
}

const SURENESS = { HIGH: 3, MEDIUM: 2, LOW: 1 } as const;

function standing(assessment: Assessment): number {
  if (assessment.judgement === 'CANNOT_TELL') return 0;
  const sureness = SURENESS[assessment.confidence];
  return assessment.judgement === 'ERROR' ? sureness : -sureness;
}

/** `raised`: towards "this is a real error", or more confident; `lowered`: away from it; `reworded`: neither. */
type Direction = 'raised' | 'lowered' | 'reworded';

function changesOf({ revisions }: Pick<Evaluator, 'revisions'>) {
  return revisions.map(({ seq, from, to, seen }) => {
    const step = standing(to) - standing(from);
    const direction: Direction = step > 0 ? 'raised' : step < 0 ? 'lowered' : 'reworded';
    return { finding: to.finding, entry: seq, seen, direction, from, to };
  });
}

/** Every label that departs from the objective criteria, with what the evaluator had predicted of that error. */
function deviationsOf(material: Material, { match, predict }: Pick<Evaluator, 'match' | 'predict'>) {
  const edges = Map.groupBy(material.edges, ({ finding }) => finding);
  const deviation = (finding: string, error: string, because: string) => ({
    finding,
    error,
    prediction: predict.get(error)?.prediction ?? 'CANNOT_TELL',
    because,
  });
  const generous = [...match.values()].flatMap((label) => {
    const because = generosity(label, edges.get(label.finding) ?? []);
    return because === undefined || label.error === undefined
      ? []
      : [deviation(label.finding, label.error, because)];
  });
  const runsOf = new Map(
    material.findings.map((one) => [one.id, occurrences(one).map(({ run }) => run)] as const),
  );
  const credited = new Set(
    [...match.values()].flatMap((one) =>
      isMatch(one) ? (runsOf.get(one.finding) ?? []).map((run) => `${run} ${one.error}`) : [],
    ),
  );
  const strict = material.edges.flatMap(({ finding, error, strength, criteria }) => {
    const label = match.get(finding);
    if (label === undefined) return [];
    if (isMatch(label) && label.error === error) {
      const downgraded = strength === 'Y' && label.match === 'P';
      return downgraded ? [deviation(finding, error, 'criteria say full match, labelled partial')] : [];
    }
    // Another finding of that run has the error, or this one was matched to another error it also fits.
    if (isMatch(label) || (runsOf.get(finding) ?? []).every((run) => credited.has(`${run} ${error}`)))
      return [];
    return [deviation(finding, error, `criteria (${criteria.join(', ')}) fit, labelled ${label.match}`)];
  });
  return { generous, strict };
}

/**
 * A label that contradicts what the same evaluator had sealed. A low-confidence answer is easily revised: it counts as
 * raised or lowered, not as a contradiction.
 */
function contradictionsOf({ assess, match }: Pick<Evaluator, 'assess' | 'match'>) {
  return [...match.values()].flatMap(({ finding, match: label, error }) => {
    const sealed = assess.get(finding);
    if (sealed === undefined || sealed.judgement === 'CANNOT_TELL' || sealed.confidence === 'LOW') return [];
    const { judgement, confidence } = sealed;
    if (label === 'UNRESOLVED' || (label === 'FALSE') === (judgement === 'NO_ERROR')) return [];
    return [{ finding, judgement, confidence, match: label, error }];
  });
}

function isMatch({ match }: Pick<Matching, 'match'>): boolean {
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

/** What a prediction means as a probability; always saying MAYBE has a Brier score of 0.25. */
const PROBABILITY = { YES: 1, MAYBE: 0.5, NO: 0 } as const;

/** `undecided`: only disputed or unresolved findings could be it. */
export type Detection = 'detected' | 'missed' | 'undecided';

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
      const names = (label: Pick<Matching, 'match' | 'error'> | undefined) =>
        label?.error === id && isMatch(label);
      const sure = new Set(labelled.filter(({ decision }) => names(decision)).map(({ run }) => run));
      const possible = labelled.filter(({ disputed, labels }) => disputed && labels.some(names));
      if (sure.size * 2 > runs.length) return [id, 'detected'];
      const all = new Set([...sure, ...possible.map(({ run }) => run)]);
      return [id, all.size * 2 > runs.length ? 'undecided' : 'missed'];
    }),
  );
}

/** Did the errors that were predicted to be caught turn out to be caught? */
export function calibrate({ predict }: Pick<Evaluator, 'predict'>, outcome: ReadonlyMap<string, Detection>) {
  const all = [...predict.values()];
  const forecasts = all.flatMap(({ error, prediction }) =>
    prediction === 'CANNOT_TELL' ? [] : [{ prediction, outcome: outcome.get(error) }],
  );
  const decided = forecasts.filter((one) => one.outcome !== undefined && one.outcome !== 'undecided');
  const groups = (['YES', 'MAYBE', 'NO'] as const).map((prediction) => {
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
    // Not yet known whether these were detected.
    undecided: forecasts.length - decided.length,
    // The interval must be on the wrong side of a half: a few wrong predictions are not a pattern.
    systematic: groups
      .filter(
        ({ prediction, share: { low = 0.5, high = 0.5 } }) =>
          (prediction === 'YES' && high < 0.5) || (prediction === 'NO' && low > 0.5),
      )
      .map(
        ({ prediction, n, detected }) =>
          `said ${prediction} to ${n} errors of which ${detected} were detected`,
      ),
  };
}

function shareOf(k: number, n: number): Measurement & { readonly low?: number; readonly high?: number } {
  return n === 0 ? unmeasured('no such prediction') : estimate(k / n, n, wilson(k, n));
}
