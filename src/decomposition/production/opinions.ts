import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { krippendorffAlpha } from '../../stats/rater-agreement.ts';
import { RATED_CONCEPT, RATED_FABRICATION, RATED_MISSING, RATED_WHOLE, requestOf } from './watched.ts';

export type Opinion = {
  readonly kind: string;
  readonly subjectId: string;
  readonly author: string;
  readonly rating: number;
};

/** What raters say of one request; each of them counts the same. */
export type RatedRequest = {
  /** The whole, by rater: 1 is acceptable. */
  readonly raters: readonly number[];
  /** Share of the raters who accept it. */
  readonly acceptable?: number;
  /** Concepts of it, and those that were made up. */
  readonly fabricated?: { readonly concepts: number; readonly fabricated: number };
  /** Concepts that are right, of those that it has, and of those that it should have. */
  readonly precision?: Share;
  readonly recall?: Share;
};

type Share = { readonly right: number; readonly of: number };

export const RATING_KINDS = [RATED_WHOLE, RATED_CONCEPT, RATED_FABRICATION, RATED_MISSING] as const;

/** `opinions`: the last word of each rater on each subject. `conceptsOf`: how many concepts a request has. */
export function ratedRequests(
  opinions: readonly Opinion[],
  conceptsOf: (id: string) => number | undefined,
): ReadonlyMap<string, RatedRequest> {
  const byRequest = Map.groupBy(opinions, ({ subjectId }) => requestOf(subjectId));
  return new Map([...byRequest].map(([id, own]) => [id, ratedRequest(own, conceptsOf(id) ?? 0)]));
}

function ratedRequest(opinions: readonly Opinion[], concepts: number): RatedRequest {
  const each = [...Map.groupBy(opinions, ({ author }) => author).values()]
    .map((own) => ofRater(own, concepts))
    .filter(({ whole }) => whole !== undefined);
  const raters = each.flatMap(({ whole }) => whole ?? []);
  const shares = (expected: (rater: OfRater) => number | undefined): Share | undefined => {
    const said = each.flatMap((rater) => {
      const of = expected(rater);
      return of === undefined ? [] : [{ right: concepts - rater.wrong, of }];
    });
    const of = meanOf(said.map((one) => one.of));
    return of ? { right: meanOf(said.map(({ right }) => right)) ?? 0, of } : undefined;
  };
  return {
    raters,
    acceptable: meanOf(raters),
    ...(concepts > 0 &&
      raters.length > 0 && {
        fabricated: { concepts, fabricated: meanOf(each.map(({ fabricated }) => fabricated)) ?? 0 },
      }),
    precision: shares(({ isMarked }) => (isMarked ? concepts : undefined)),
    recall: shares(({ wrong, missing }) => (missing === undefined ? undefined : concepts - wrong + missing)),
  };
}

type OfRater = {
  readonly whole: number | undefined;
  readonly wrong: number;
  readonly fabricated: number;
  /** How many concepts it lacks; absent: nobody looked. */
  readonly missing: number | undefined;
  /** Looked at the concepts one by one. */
  readonly isMarked: boolean;
};

/** Who rated the whole looked at every concept: those that a rater does not name are right and not made up. */
function ofRater(own: readonly Opinion[], concepts: number): OfRater {
  const of = (kind: string) => own.filter((one) => one.kind === kind);
  const whole = of(RATED_WHOLE)[0];
  const marked = of(RATED_CONCEPT);
  const made = of(RATED_FABRICATION).filter(({ rating }) => rating >= 0.5);
  const named = made.filter(({ subjectId }) => subjectId.includes('#')).length;
  const missing = of(RATED_MISSING).find(({ subjectId }) => !subjectId.includes('#'))?.rating;
  return {
    whole: whole && (whole.rating >= 0.5 ? 1 : 0),
    wrong: Math.min(concepts, marked.filter(({ rating }) => rating < 0.5).length),
    fabricated: Math.min(concepts, Math.max(named, made.length > 0 ? 1 : 0)),
    missing,
    isMarked: marked.length > 0 || missing !== undefined,
  };
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, one) => sum + one, 0) / values.length;
}

const RESAMPLES = 500;

/** Krippendorff's alpha of what raters say of the whole, over requests that several of them rated. */
export function raterAgreement(requests: readonly Pick<RatedRequest, 'raters'>[]): Measurement {
  const units = requests.map(({ raters }) => raters).filter(({ length }) => length > 1);
  if (units.length === 0) return unmeasured('no output was rated by more than one person');
  const found = krippendorffAlpha(units, { bootstrap: { resamples: RESAMPLES, seed: 1 } });
  if (found === undefined) return unmeasured('all ratings are the same, so agreement says nothing');
  return estimate(found.alpha, found.n, found.interval ?? {});
}
