/** Step 4, the documented signs of bias: changed descriptions, generous matching, strict matching. */
import type { Assessment, Matching } from './answers.ts';
import type { Forecast } from './calibration.ts';
import { type Material, type ObjectiveEdge, occurrences } from './material.ts';
import type { Evaluator } from './protocol.ts';

/** `raised`: towards "this is a real error", or more sure of it; `lowered`: away from it; `reworded`: neither. */
type Direction = 'raised' | 'lowered' | 'reworded';

export type AnswerChange = {
  readonly finding: string;
  readonly entry: number;
  /** Made after the evaluator had been shown the ground truth. */
  readonly seen: boolean;
  readonly direction: Direction;
  readonly from: Assessment;
  readonly to: Assessment;
};

/** A label that goes further, or less far, than the objective criteria do. */
export type Deviation = {
  readonly finding: string;
  readonly error: string;
  readonly prediction: Forecast | 'CANNOT_TELL';
  readonly because: string;
};

/** A label that says the opposite of what the same evaluator had sealed, whether or not a change was declared. */
export type Contradiction = {
  readonly finding: string;
  readonly judgement: 'ERROR' | 'NO_ERROR';
  readonly confidence: 'HIGH' | 'MEDIUM';
  readonly match: Matching['match'];
  readonly error?: string;
};

export type Deviations = { readonly generous: readonly Deviation[]; readonly strict: readonly Deviation[] };

const SURENESS = { HIGH: 3, MEDIUM: 2, LOW: 1 } as const;

function standing(assessment: Assessment): number {
  if (assessment.judgement === 'CANNOT_TELL') return 0;
  const sureness = SURENESS[assessment.confidence];
  return assessment.judgement === 'ERROR' ? sureness : -sureness;
}

export function changesOf({ revisions }: Pick<Evaluator, 'revisions'>): AnswerChange[] {
  return revisions.map(({ seq, from, to, seen }) => {
    const step = standing(to) - standing(from);
    const direction = step > 0 ? 'raised' : step < 0 ? 'lowered' : 'reworded';
    return { finding: to.finding, entry: seq, seen, direction, from, to };
  });
}

/** Every label that departs from the objective criteria, with what the evaluator had predicted of that error. */
export function deviationsOf(
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
export function contradictionsOf({ assess, match }: Pick<Evaluator, 'assess' | 'match'>): Contradiction[] {
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
